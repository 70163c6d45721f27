import { useState } from 'preact/hooks';
import type { MistakeEntry } from '../../../protocol/questions';
import type { Page } from '../../page/page';
import './predict.css';

interface MistakeListProps {
  readonly page: Page;
  readonly mistakes: readonly MistakeEntry[];
  /** Called when the lesson about a mistake was opened. */
  readonly onOpened?: () => void;
}

/** Mistakes that explain a value, each with a link to the lesson step about it. */
export function MistakeList({ page, mistakes, onOpened }: MistakeListProps) {
  return (
    <ul class="predict__ideas">
      {mistakes.map((mistake) => (
        <MistakeItem key={mistake.id} page={page} mistake={mistake} {...(onOpened ? { onOpened } : {})} />
      ))}
    </ul>
  );
}

interface MistakeItemProps extends Pick<MistakeListProps, 'page' | 'onOpened'> {
  readonly mistake: MistakeEntry;
}

function MistakeItem({ page, mistake: { title, sentence, step }, onOpened }: MistakeItemProps) {
  const [failed, setFailed] = useState(false);
  const open = () => {
    setFailed(false);
    import('../course')
      .then(({ openStep }) => {
        openStep(page, step);
        onOpened?.();
      })
      .catch(() => setFailed(true));
  };
  return (
    <li>
      <strong>{title}.</strong> {sentence}{' '}
      <button type="button" class="predict__cure" aria-label={`See the lesson: ${title}`} onClick={open}>
        See the lesson
      </button>
      {failed && <span> The lessons failed to load. Try again.</span>}
    </li>
  );
}
