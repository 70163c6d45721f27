import type { ComponentChildren } from 'preact';
import './button.css';

interface ButtonProps {
  readonly children: ComponentChildren;
  /** The accessible name, where the content is a picture. */
  readonly label?: string;
  /** The key that does the same, in ARIA's notation ("Control+Z"); shown in the tooltip. */
  readonly shortcut?: string;
  readonly disabled?: boolean;
  readonly kind?: 'plain' | 'primary' | 'icon';
  readonly onClick: () => void;
}

export function Button({ children, label, shortcut, disabled = false, kind = 'plain', onClick }: ButtonProps) {
  const tip = label && shortcut ? `${label} (${shortcut.replace('Control', 'Ctrl')})` : label;
  return (
    <button
      type="button"
      class={`button button--${kind}`}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      title={tip}
      // A button that vanishes from the tab order under one's finger loses the focus; it stays and does nothing.
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled) onClick();
      }}
    >
      {children}
    </button>
  );
}
