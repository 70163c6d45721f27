import type { ComponentChildren } from 'preact';
import { canHover } from '../breakpoints';
import { isSingle, singleKeys } from '../single-keys';
import './button.css';

export function Button({
  children,
  label,
  shortcut: keys,
  disabled = false,
  kind = 'plain',
  controls,
  onClick,
}: {
  /** Default: the sign × of closing and removing. */
  children?: ComponentChildren;
  /** The accessible name, where the content is an icon. */
  label?: string;
  /** The keyboard shortcut in ARIA's notation ("Control+Z"); shown in the tooltip. */
  shortcut?: string | undefined;
  disabled?: boolean;
  kind?: 'plain' | 'primary' | 'icon';
  /** What it opens and closes. */
  controls?: { readonly id: string; readonly expanded: boolean } | undefined;
  onClick: () => void;
}) {
  const shortcut = keys && isSingle(keys) && !singleKeys.value ? undefined : keys;
  const tip = label && shortcut && canHover() ? `${label} (${shortcut.replace('Control', 'Ctrl')})` : label;
  return (
    <button
      type="button"
      class={`button button--${kind}`}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      title={tip}
      // aria-disabled, not disabled: a disabled button would lose the focus.
      aria-disabled={disabled}
      aria-controls={controls?.id}
      aria-expanded={controls?.expanded}
      onClick={() => {
        if (!disabled) onClick();
      }}
    >
      {children ?? '×'}
    </button>
  );
}
