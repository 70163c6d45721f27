import { useState } from 'preact/hooks';
import type { Link } from '../../link/write-link';
import { Button } from '../../ui/controls/Button';
import './update-notice.css';

interface UpdateNoticeProps {
  /** Brings the address up to date and tells what it cannot carry. */
  readonly write: () => Promise<Link>;
}

/** Offers a newer version of the page; nobody has to take it. */
export function UpdateNotice({ write }: UpdateNoticeProps) {
  const [lost, setLost] = useState<readonly string[]>([]);
  const [open, setOpen] = useState(true);
  const reload = async () => {
    const { omitted } = await write();
    if (omitted.length === 0 || lost.length > 0) location.reload();
    else setLost(omitted);
  };
  if (!open) return null;
  return (
    <div class="update-notice" role="status">
      <p>
        {lost.length === 0
          ? 'A new version of this page is ready.'
          : `Loading the page again loses the numbers of ${lost.join(', ')}: they are too many for its address.`}
      </p>
      <Button onClick={() => void reload().catch(() => location.reload())}>
        {lost.length === 0 ? 'Reload' : 'Reload all the same'}
      </Button>
      <Button onClick={() => setOpen(false)}>Later</Button>
    </div>
  );
}
