import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Cell } from '../../../protocol/cell';
import { MINUS } from '../../../ui/numbers';
import type { Page } from '../../page/page';
import { MistakeList } from './MistakeList';
import { type Attempt, isComputed } from './predictor';

interface PredictionResultProps {
  readonly page: Page;
  readonly cell: Cell;
  /** Name of the cell. */
  readonly name: string;
  readonly attempt: Attempt;
}

/** The verdict on a prediction: correct, or the mistakes that explain it. */
export function PredictionResult(props: PredictionResultProps) {
  const { written, verdict } = props.attempt;
  const box = useRef<HTMLDivElement>(null);
  // On a narrow page it may be out of view.
  useLayoutEffect(() => {
    if (written !== null && verdict) box.current?.scrollIntoView({ block: 'nearest' });
  }, [written, verdict]);
  return (
    <div ref={box} class="predict__words">
      <Words {...props} />
    </div>
  );
}

function Words({ page, cell, name, attempt: { written, verdict } }: PredictionResultProps) {
  if (written === null) return null;
  const shown = written.replace('-', MINUS);
  if (!verdict) {
    return (
      <p class="predict__verdict" role="status">
        Checking {shown}…
      </p>
    );
  }
  switch (verdict.verdict) {
    case 'right':
      return (
        <p class="predict__verdict predict__verdict--right" role="status">
          <span aria-hidden="true">✓ </span>
          {shown} is correct.
        </p>
      );
    case 'failed':
      return (
        <p class="predict__verdict predict__verdict--wrong" role="status">
          {shown} could not be checked: {verdict.message}.
        </p>
      );
    case 'unknown':
      return (
        <p class="predict__verdict predict__verdict--wrong" role="status">
          {isComputed(cell)
            ? `${name} is not ${shown}, and no common mistake gives ${shown}. Check your arithmetic, or take a hint.`
            : `${name} is not ${shown}. Work it out from the values that are computed from it.`}
        </p>
      );
    case 'known':
      return (
        <div class="predict__verdict predict__verdict--wrong" role="status">
          <p>
            {name} is not {shown}.{' '}
            {verdict.mistakes.length === 1
              ? 'One common mistake gives exactly that:'
              : `${verdict.mistakes.length} common mistakes give exactly that:`}
          </p>
          <MistakeList page={page} mistakes={verdict.mistakes} />
        </div>
      );
  }
}
