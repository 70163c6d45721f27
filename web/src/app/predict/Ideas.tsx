import { useState } from 'preact/hooks';
import type { MistakeEntry } from '../../protocol/questions';
import type { Page } from '../page';
import './predict.css';

interface IdeasProps {
  readonly page: Page;
  readonly mistakes: readonly MistakeEntry[];
  /** A lesson about one of them was opened. */
  readonly onOpened?: () => void;
}

/** Mistakes that give a number, each with a way to the step of a lesson that cures it. */
export function Ideas({ page, mistakes, onOpened }: IdeasProps) {
  return (
    <ul class="predict__ideas">
      {mistakes.map((mistake) => (
        <Idea key={mistake.id} page={page} mistake={mistake} {...(onOpened ? { onOpened } : {})} />
      ))}
    </ul>
  );
}

interface IdeaProps extends Pick<IdeasProps, 'page' | 'onOpened'> {
  readonly mistake: MistakeEntry;
}

function Idea({ page, mistake: { title, sentence, step }, onOpened }: IdeaProps) {
  const [failed, setFailed] = useState(false);
  const open = () => {
    setFailed(false);
    import('../lesson/course')
      .then(({ openStep }) => {
        openStep(page, step);
        onOpened?.();
      })
      .catch(() => setFailed(true));
  };
  return (
    <li>
      <strong>{title}.</strong> {sentence}{' '}
      <button type="button" class="predict__cure" aria-label={`A lesson about it: ${title}`} onClick={open}>
        A lesson about it
      </button>
      {failed && <span> The lessons could not be fetched. Try again.</span>}
    </li>
  );
}
