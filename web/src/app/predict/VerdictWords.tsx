import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Cell } from '../../protocol/cell';
import { MINUS } from '../../ui/numbers';
import type { Page } from '../page';
import { Ideas } from './Ideas';
import { type Attempt, isMade } from './predictor';

interface VerdictWordsProps {
  readonly page: Page;
  readonly cell: Cell;
  /** Of the cell. */
  readonly name: string;
  readonly attempt: Attempt;
}

/** What the library says of the number that was written down: right, or which ideas give it. */
export function VerdictWords(props: VerdictWordsProps) {
  const { written, verdict } = props.attempt;
  const box = useRef<HTMLDivElement>(null);
  // On a narrow page it may be below what one sees.
  useLayoutEffect(() => {
    if (written !== null && verdict) box.current?.scrollIntoView({ block: 'nearest' });
  }, [written, verdict]);
  return (
    <div ref={box} class="predict__words">
      <Words {...props} />
    </div>
  );
}

function Words({ page, cell, name, attempt: { written, verdict } }: VerdictWordsProps) {
  if (written === null) return null;
  const shown = written.replace('-', MINUS);
  if (!verdict) {
    return (
      <p class="predict__verdict" role="status">
        Checking {shown} …
      </p>
    );
  }
  switch (verdict.verdict) {
    case 'right':
      return (
        <p class="predict__verdict predict__verdict--right" role="status">
          <span aria-hidden="true">✓ </span>
          {shown} is right.
        </p>
      );
    case 'failed':
      return (
        <p class="predict__verdict predict__verdict--wrong" role="status">
          {shown} could not be judged: {verdict.message}.
        </p>
      );
    case 'unknown':
      return (
        <p class="predict__verdict predict__verdict--wrong" role="status">
          {isMade(cell)
            ? `${name} is not ${shown}, and no usual mistake gives ${shown}. Look for a slip in the sum; a hint shows what is multiplied.`
            : `${name} is not ${shown}. Find it from what is made of it.`}
        </p>
      );
    case 'known':
      return (
        <div class="predict__verdict predict__verdict--wrong" role="status">
          <p>
            {name} is not {shown}.{' '}
            {verdict.mistakes.length === 1
              ? 'One usual mistake gives just that:'
              : `${verdict.mistakes.length} usual mistakes give just that; it may have been any of them:`}
          </p>
          <Ideas page={page} mistakes={verdict.mistakes} />
        </div>
      );
  }
}
