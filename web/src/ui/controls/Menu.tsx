import { Popover } from './Popover';

interface MenuItem {
  readonly id: string;
  readonly label: string;
  /** As printed on keyboards. */
  readonly keys?: string | undefined;
  readonly disabled?: boolean;
  readonly run: () => void;
}

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  return (
    <Popover
      button={label}
      buttonClass="button button--plain menu__button"
      label={label}
      role="menu"
      align="right"
      onKeyDown={(event, list) => {
        if (event.key === 'Tab') list.hidePopover();
        const all = [...list.querySelectorAll('button')];
        const to = MOVES[event.key]?.(all.indexOf(event.target as HTMLButtonElement), all.length);
        if (to === undefined) return;
        event.preventDefault();
        all[to]?.focus();
      }}
    >
      {(close) =>
        items.map(({ id: item, label: text, keys, disabled = false, run }) => (
          <button
            key={item}
            type="button"
            class="menu__item ends lit"
            role="menuitem"
            tabIndex={-1}
            aria-disabled={disabled}
            onClick={() => {
              if (disabled) return;
              // First, so that a dialog returns the focus to the button.
              close();
              run();
            }}
          >
            {text}
            {keys && <kbd class="menu__keys soft">{keys}</kbd>}
          </button>
        ))
      }
    </Popover>
  );
}
