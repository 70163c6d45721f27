import { cellName } from '../../../geometry/labels';
import type { Geometry } from '../../../protocol/problem';
import type { BugCheck } from '../../../protocol/questions';
import { formatExact } from '../../../ui/numbers';
import type { Made } from './place';

interface CheckWordsProps {
  readonly geometry: Geometry;
  readonly made: Made;
  readonly name: string;
  readonly check: BugCheck | null;
}

/** What the gradient check says of a bug, and what it is fed. */
export function CheckWords({ geometry, made, name, check }: CheckWordsProps) {
  if (made === 'y') {
    return (
      <p class="spot__check">
        No gradient check: it measures gradients by y, and so believes y. A bug in y it cannot see; the numbers above
        are what there is to go by.
      </p>
    );
  }
  if (!check) return <p class="spot__check">No gradient check: there are too many cells to measure each.</p>;
  const { cells, failed, worst } = check;
  const from = made.slice(1);
  return (
    <div class="spot__check">
      <p class={worst ? 'spot__verdict spot__verdict--bad' : 'spot__verdict'}>
        {worst
          ? `✗ The gradient check fails in ${failed} of ${cells} ${cells === 1 ? 'cell' : 'cells'}.`
          : `✓ The gradient check passes: all ${cells} cells of ${made} are what was measured.`}
      </p>
      <p>
        It moves each cell of {from} a little up and down and measures how the loss L = Σ y · dy changes, with y and dy
        as they are on the stage.
        {worst &&
          ` Furthest off is ${cellName(geometry, { tensor: made, index: worst.index })}: measured ${formatExact(worst.measured)}, while bug ${name} says ${formatExact(worst.said)}.`}
      </p>
    </div>
  );
}
