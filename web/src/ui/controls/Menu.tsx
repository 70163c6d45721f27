import type { ComponentChildren } from 'preact';
import { Popover } from './Popover';

interface MenuItem {
  readonly id: string;
  readonly label: string;
  /** As printed on keyboards. */
  readonly keys?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** The chosen one of several; undefined: it is no choice. */
  readonly checked?: boolean;
  /** Why it is disabled. */
  readonly hint?: string | undefined;
  /** For its style. */
  readonly kind?: string;
  readonly run: () => void;
}

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

export function Menu({
  label,
  face = label,
  items,
  align = 'right',
}: {
  label: string;
  /** On the button, if it is not the label. */
  face?: ComponentChildren;
  items: readonly MenuItem[];
  align?: 'left' | 'right';
}) {
  return (
    <Popover
      button={face}
      buttonClass="button button--plain menu__button"
      {...{ label, align }}
      role="menu"
      onKeyDown={(event, list) => {
        if (event.key === 'Tab') list.hidePopover();
        const all = [...list.querySelectorAll('button')];
        let to = MOVES[event.key]?.(all.indexOf(event.target as HTMLButtonElement), all.length);
        if (to === undefined) return;
        event.preventDefault();
        // Some items are only on a narrow page: one that is not takes no focus.
        const by = event.key === 'ArrowUp' || event.key === 'End' ? all.length - 1 : 1;
        all[to]?.focus();
        for (let tries = 0; tries < all.length && document.activeElement !== all[to]; tries += 1) {
          to = (to + by) % all.length;
          all[to]?.focus();
        }
      }}
    >
      {(close) =>
        items.map(({ id: item, label: text, keys, disabled = false, checked, hint, kind, run }) => (
          <button
            key={item}
            type="button"
            class={`menu__item ends lit menu__item--${kind}`}
            {...(checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': checked })}
            title={hint}
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
