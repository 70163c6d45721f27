import { useState } from 'preact/hooks';
import { Button } from '../../ui/controls/Button';

interface UpdateNoticeProps {
  /** Has everything kept that is on the page; the names of what cannot be. */
  readonly save: () => Promise<readonly string[]>;
}

/** Offers a newer version of the page; nobody has to take it. */
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
          ? 'A new version of this page is ready.'
          : `Loading the page again loses the numbers of ${lost.join(', ')}: this browser does not keep them.`}
      </p>
      <Button onClick={() => void reload().catch(() => location.reload())}>
        {lost.length === 0 ? 'Reload' : 'Reload all the same'}
      </Button>
      <Button onClick={() => setOpen(false)}>Later</Button>
    </div>
  );
}
