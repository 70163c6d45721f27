import { useId, useRef, useState } from 'preact/hooks';
import './menu.css';

interface MenuItem {
  readonly id: string;
  readonly label: string;
  /** As printed on keyboards. */
  readonly keys?: string | undefined;
  readonly disabled?: boolean;
  readonly run: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
}

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A button that opens a menu below itself. The browser closes it on Escape and on a click elsewhere. */
export function Menu({ label, items }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const entries = () => [...(list.current?.querySelectorAll('button') ?? [])];
  return (
    <>
      <button
        ref={button}
        type="button"
        class="button button--plain menu__button"
        aria-haspopup="menu"
        aria-expanded={open}
        popovertarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          list.current?.showPopover();
        }}
      >
        {label}
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        role="menu"
        aria-label={label}
        popover="auto"
        onToggle={({ newState }) => {
          setOpen(newState === 'open');
          const place = button.current?.getBoundingClientRect();
          if (newState !== 'open' || !list.current || !place) return;
          const { style } = list.current;
          style.top = `${place.bottom + scrollY + 4}px`;
          style.right = `${document.documentElement.clientWidth - place.right}px`;
          entries()[0]?.focus();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Tab') list.current?.hidePopover();
          const all = entries();
          const to = MOVES[event.key]?.(all.indexOf(event.target as HTMLButtonElement), all.length);
          if (to === undefined) return;
          event.preventDefault();
          all[to]?.focus();
        }}
      >
        {items.map(({ id: item, label: text, keys, disabled = false, run }) => (
          <button
            key={item}
            type="button"
            class="menu__item"
            role="menuitem"
            tabIndex={-1}
            aria-disabled={disabled}
            onClick={() => {
              if (disabled) return;
              // First, so that a dialog returns the focus to the button.
              list.current?.hidePopover();
              button.current?.focus();
              run();
            }}
          >
            {text}
            {keys && <kbd class="menu__keys">{keys}</kbd>}
          </button>
        ))}
      </div>
    </>
  );
}
