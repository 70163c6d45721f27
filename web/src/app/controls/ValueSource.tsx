import { FILTER_NAMES, type Generator, type InputTensor, type TensorSource } from '../../state/sources';
import { Button } from '../../ui/controls/Button';
import { type Option, Select } from '../../ui/controls/Choice';

interface ValueSourceProps {
  readonly tensor: 'x' | 'w';
  readonly input: InputTensor;
  readonly onChange: (source: Generator) => void;
}

const FILTER_LABELS: Readonly<Record<(typeof FILTER_NAMES)[number], string>> = {
  identity: 'identity',
  sobel_x: 'Sobel, left to right',
  sobel_y: 'Sobel, top to bottom',
  blur: 'blur',
  sharpen: 'sharpen',
  emboss: 'emboss',
  outline: 'outline',
};

const COMMON: readonly Option<string>[] = [
  { value: 'ramp', label: '0, 1, 2, …' },
  { value: 'countdown', label: '…, 3, 2, 1' },
  { value: 'ones', label: 'ones' },
  { value: 'random', label: 'random' },
  { value: 'impulse', label: 'a single 1' },
];
const FILTERS: readonly Option<string>[] = FILTER_NAMES.map((name) => ({
  value: `filter:${name}`,
  label: FILTER_LABELS[name],
}));

/** Where the numbers of x or w come from. */
export function ValueSource({ tensor, input, onChange }: ValueSourceProps) {
  const { source, edited, data } = input;
  const options = tensor === 'w' ? [...FILTERS, ...COMMON] : COMMON;
  return (
    <div class="value-source">
      <Select
        label={tensor === 'w' ? 'filter' : 'values'}
        options={options}
        value={edited ? '' : keyOf(source)}
        placeholder={placeholderOf(source, edited)}
        onChange={(key) => onChange(generatorOf(key, data.length))}
      />
      {source.kind === 'random' && !edited && (
        <Button label={`Shuffle ${tensor}`} onClick={() => onChange({ kind: 'random', seed: source.seed + 1 })}>
          Shuffle
        </Button>
      )}
    </div>
  );
}

function placeholderOf(source: TensorSource, edited: boolean): string {
  if (source.kind === 'file') return source.name;
  if (source.kind === 'sample') return 'a drawn picture';
  return edited ? 'changed by hand' : 'other';
}

function keyOf(source: TensorSource): string {
  if (source.kind === 'filter') return `filter:${source.name}`;
  if (source.kind === 'constant') return source.value === 1 ? 'ones' : '';
  return source.kind;
}

function generatorOf(key: string, cells: number): Generator {
  const filter = FILTER_NAMES.find((name) => key === `filter:${name}`);
  if (filter) return { kind: 'filter', name: filter };
  switch (key) {
    case 'countdown':
      return { kind: 'countdown', from: cells };
    case 'ones':
      return { kind: 'constant', value: 1 };
    case 'random':
      return { kind: 'random', seed: 1 };
    case 'impulse':
      return { kind: 'impulse' };
    default:
      return { kind: 'ramp', from: 0 };
  }
}
