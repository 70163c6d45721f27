import { useState } from 'preact/hooks';
import { lazy } from '../../ui/lazy';
import type { Page } from '../page/page';

const course = lazy('The lessons', () => import('./course'));

interface LessonLinkProps {
  readonly page: Page;
  /** Of a lesson: "padding.2". */
  readonly step: string;
  /** The mistake that the step is about. */
  readonly about: string;
  /** Of several links. */
  readonly number?: number | undefined;
  readonly onOpened?: () => void;
}

/** A button that opens the lesson step about a mistake. */
export function LessonLink({ page, step, about, number, onOpened }: LessonLinkProps) {
  const [said, say] = useState('');
  const open = () => {
    say('');
    course.use(({ openStep }) => {
      openStep(page, step);
      onOpened?.();
    }, say);
  };
  return (
    <>
      <button type="button" class="predict__cure" aria-label={`See the lesson: ${about}`} onClick={open}>
        See the lesson{number !== undefined && ` ${number}`}
      </button>
      {said !== '' && <span role="alert"> {said}</span>}
    </>
  );
}
