import type { ReadonlySignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Address } from '../../link/address';
import { Button } from '../../ui/controls/Button';

interface NotSavedNoticeProps {
  readonly restored: readonly string[];
  readonly refused: ReadonlySignal<readonly string[]>;
  readonly address: Address;
}

/** Says once which inputs a reload restored, and which a reload will lose, because they are too large for a link. */
export function NotSavedNotice({ restored, refused, address }: NotSavedNoticeProps) {
  const [showsRestored, setShowsRestored] = useState(restored.length > 0);
  const [showsRefused, setShowsRefused] = useState(true);
  if (showsRestored) {
    const startOver = () => {
      void address.open('');
      setShowsRestored(false);
    };
    return (
      <div class="corner__notice row wrap loose overlay" role="status">
        <p>Restored {restored.join(' and ')} from this browser: too large for a link.</p>
        <Button onClick={startOver}>Start over</Button>
        <Button onClick={() => setShowsRestored(false)}>Dismiss</Button>
      </div>
    );
  }
  if (!showsRefused || refused.value.length === 0) return null;
  return (
    <div class="corner__notice row wrap loose overlay" role="status">
      <p>
        Reloading loses {refused.value.join(' and ')}: too large for a link, and this browser refused to save so much
        (private window or full disk?).
      </p>
      <Button onClick={() => setShowsRefused(false)}>Dismiss</Button>
    </div>
  );
}

/** Offers to reload into a new version. `save` saves the inputs and returns the names of those that cannot be saved. */
export function UpdateNotice({ save }: { readonly save: () => Promise<readonly string[]> }) {
  const [lost, setLost] = useState<readonly string[]>([]);
  const [open, setOpen] = useState(true);
  const reload = async () => {
    const unsaved = await save();
    if (unsaved.length === 0 || lost.length > 0) location.reload();
    else setLost(unsaved);
  };
  if (!open) return null;
  return (
    <div class="corner__notice row wrap loose overlay" role="status">
      <p>
        {lost.length === 0
          ? 'A new version of this page is available.'
          : `Reloading loses the values of ${lost.join(', ')}: this browser cannot save them.`}
      </p>
      <Button onClick={() => void reload().catch(() => location.reload())}>
        {lost.length === 0 ? 'Reload' : 'Reload anyway'}
      </Button>
      <Button onClick={() => setOpen(false)}>Later</Button>
    </div>
  );
}
