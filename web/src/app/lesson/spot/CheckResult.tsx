import { cellName } from '../../../geometry/labels';
import type { Geometry } from '../../../protocol/problem';
import type { BugCheck } from '../../../protocol/questions';
import type { ResultName } from '../../../protocol/tensors';
import { formatExact } from '../../../ui/numbers';

interface CheckResultProps {
  readonly geometry: Geometry;
  readonly tensor: ResultName;
  readonly name: string;
  readonly check: BugCheck | null;
}

/** The result of the gradient check of a bug, and how it was measured. */
export function CheckResult({ geometry, tensor, name, check }: CheckResultProps) {
  if (tensor === 'y') {
    return (
      <p class="spot__check">
        A gradient check cannot find a bug in y: it takes y as correct. Compare the values above.
      </p>
    );
  }
  if (!check) return <p class="spot__check">No gradient check: too many cells. Use a smaller problem.</p>;
  const { cells, failed, worst } = check;
  const from = tensor.slice(1);
  return (
    <div class="spot__check">
      <p class={worst ? 'spot__verdict spot__verdict--bad' : 'spot__verdict'}>
        {worst
          ? `✗ The gradient check fails in ${failed} of ${cells} ${cells === 1 ? 'cell' : 'cells'}.`
          : `✓ The gradient check passes: ${cells === 1 ? `the cell of ${tensor} matches` : `all ${cells} cells of ${tensor} match`}.`}
      </p>
      <p>
        It moves each cell of {from} a little up and down. It measures the change of the loss L = Σ y · dy, with the
        correct y and dy.
        {worst &&
          ` The largest error is in ${cellName(geometry, { tensor: tensor, index: worst.index })}: measured ${formatExact(worst.measured)}, with bug ${name} ${formatExact(worst.wrong)}.`}
      </p>
    </div>
  );
}
