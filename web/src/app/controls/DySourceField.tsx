import type { DySource } from '../../protocol/messages';
import { shapeSize, yShape } from '../../protocol/shapes';
import type { Problem } from '../../state/problem';
import { Button } from '../../ui/controls/Button';
import { type Option, Select } from '../../ui/controls/Choice';

interface DySourceFieldProps {
  readonly problem: Problem;
  readonly onChange: (source: DySource) => void;
}

type Kind = DySource['kind'];

const OPTIONS: readonly Option<Kind>[] = [
  { value: 'ones', label: 'ones' },
  { value: 'random', label: 'random' },
  { value: 'one_hot', label: 'a single 1' },
  { value: 'mse', label: 'squared error' },
  { value: 'log_cosh', label: 'log-cosh error' },
  { value: 'values', label: 'changed by hand' },
];

/** Which loss has this gradient. */
const LOSSES: Readonly<Record<Kind, string>> = {
  ones: 'As if the loss were the sum of y.',
  random: 'As it may come from the layers behind.',
  one_hot: 'As if the loss were a single cell of y.',
  mse: 'Loss: half the mean of (y − target)². The target is 0 until you choose one (Paint dy, below).',
  log_cosh: 'Loss: the mean of log(cosh(y − target)).',
  values: 'Your own: change any cell of dy.',
};

/** Where the upstream gradient comes from; its cells can be changed in the grid as well. */
export function DySourceField({ problem, onChange }: DySourceFieldProps) {
  const { dy, desc } = problem;
  const shape = yShape(desc);
  const size = shapeSize(shape);
  const make = (kind: Kind): DySource => {
    switch (kind) {
      case 'one_hot':
        return { kind, index: Math.floor(size / 2) };
      case 'random':
        return { kind, seed: 1 };
      case 'mse':
      case 'log_cosh':
        return { kind, target: null };
      case 'values':
        return { kind, shape, data: new Float32Array(size) };
      default:
        return { kind };
    }
  };
  // "Changed by hand" starts where somebody changes a cell; until then there is nothing to choose.
  const options = dy.kind === 'values' ? OPTIONS : OPTIONS.filter(({ value }) => value !== 'values');
  return (
    <div class="value-source">
      <Select label="values" options={options} value={dy.kind} onChange={(kind) => onChange(make(kind))} />
      {dy.kind === 'random' && (
        <Button label="Shuffle dy" onClick={() => onChange({ kind: 'random', seed: dy.seed + 1 })}>
          Shuffle
        </Button>
      )}
      <p class="value-source__note">{LOSSES[dy.kind]}</p>
    </div>
  );
}
