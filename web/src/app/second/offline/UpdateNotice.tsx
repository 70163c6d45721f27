import { useState } from 'preact/hooks';
import { Button } from '../../../ui/controls/Button';

interface UpdateNoticeProps {
  /** Saves the inputs of the page; returns the names of those that cannot be saved. */
  readonly save: () => Promise<readonly string[]>;
}

/** Offers to reload into a new version of the page. */
export function UpdateNotice({ save }: UpdateNoticeProps) {
  const [lost, setLost] = useState<readonly string[]>([]);
  const [open, setOpen] = useState(true);
  const reload = async () => {
    const unsaved = await save();
    if (unsaved.length === 0 || lost.length > 0) location.reload();
    else setLost(unsaved);
  };
  if (!open) return null;
  return (
    <div class="corner__notice" role="status">
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
