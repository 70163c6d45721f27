import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Hideable, Lockable } from '../../look/look';
import type { LookStore } from '../../look/look-store';
import './held.css';

interface LockedFieldsProps {
  readonly look: LookStore;
  /** Its names in links that lock or hide it. */
  readonly locks: Lockable;
  readonly hides: Hideable;
  /** Its name on the page. */
  readonly name: string;
  readonly children: ComponentChildren;
}

/** Controls that a link may lock or hide. Locked fields stay readable; a focusable lock gives the reason. */
export function LockedFields({ look, locks, hides, name, children }: LockedFieldsProps) {
  const id = useId();
  if (look.absent.value.includes(hides)) return null;
  if (!look.locked.value.includes(locks)) return <>{children}</>;
  return (
    <div class="held">
      <fieldset class="held__inside" disabled>
        {children}
      </fieldset>
      <button type="button" class="held__lock" aria-disabled aria-label={`${name}: locked`} aria-describedby={id}>
        <svg
          width="12"
          height="14"
          viewBox="0 0 12 14"
          fill="none"
          stroke="currentColor"
          stroke-width="1.5"
          aria-hidden="true"
        >
          <rect x="1.5" y="6" width="9" height="7" rx="1.5" />
          <path d="M3.5 6V4a2.5 2.5 0 0 1 5 0v2" />
        </svg>
      </button>
      <span id={id} class="held__why">
        {look.exercise.value ? 'Locked during the exercise.' : 'Locked by this link.'}
      </span>
    </div>
  );
}
