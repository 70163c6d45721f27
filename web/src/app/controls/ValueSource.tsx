import type { ConvDesc } from '../../protocol/problem';
import { resolvePadding, yShape } from '../../protocol/shapes';
import { DY_SOURCES, type DySource, dyEntry } from '../../sources/dy-sources';
import type { InputTensor } from '../../sources/inputs';
import { choicesOf, type TensorSource, tensorEntry } from '../../sources/tensor-sources';
import type { Problem } from '../../state/problem';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { counted } from '../../ui/quantities';
import type { SectionId } from '../page/sections';

interface ValueSourceProps {
  readonly tensor: 'x' | 'w';
  readonly input: InputTensor;
  readonly onChange: (source: TensorSource) => void;
}

/** The source of the values of x or w. */
export function ValueSource({ tensor, input, onChange }: ValueSourceProps) {
  const { source, edited, data } = input;
  const choices = choicesOf(tensor);
  const { title, another } = tensorEntry(source);
  const next = edited ? undefined : another?.(source);
  return (
    <div class="value-source">
      <Select
        label={tensor === 'w' ? 'filter' : 'values'}
        options={choices.map(({ key, label }) => ({ value: key, label }))}
        value={edited ? '' : (choices.find(({ is }) => is(source))?.key ?? '')}
        placeholder={edited ? `${title(source)}, edited` : title(source)}
        onChange={(key) => {
          const chosen = choices.find((choice) => choice.key === key);
          if (chosen) onChange(chosen.make(data.length));
        }}
      />
      {next && (
        <Button label={`Shuffle ${tensor}`} onClick={() => onChange(next)}>
          Shuffle
        </Button>
      )}
    </div>
  );
}

interface DySourceFieldProps {
  readonly problem: Problem;
  /** The current dy; null while it is being computed. */
  readonly dy: Float32Array | null;
  readonly onChange: (source: DySource) => void;
}

const OPTIONS = DY_SOURCES.map(({ kind, label, description }) => ({ value: kind, label, hint: description }));

/** The source of the upstream gradient. Its cells can also be edited in the grid. */
export function DySourceField({ problem, dy, onChange }: DySourceFieldProps) {
  const source = problem.dy;
  const entry = dyEntry(source);
  const next = entry.another?.(source);
  return (
    <div class="value-source">
      <Select
        label="values"
        options={OPTIONS}
        value={source.kind}
        onChange={(kind) => {
          const chosen = DY_SOURCES.find((candidate) => candidate.kind === kind);
          if (chosen) onChange(chosen.make({ shape: yShape(problem.desc), dy }));
        }}
      />
      {next && (
        <Button label="Shuffle dy" onClick={() => onChange(next)}>
          Shuffle
        </Button>
      )}
      <p class="value-source__note">
        {entry.description}
        {entry.loss?.target(source) === null && ' The target is 0 until you choose one in dy and loss.'}
      </p>
    </div>
  );
}

const pair = (name: string, row: number, col: number): string =>
  row === col ? `${name} ${row}` : `${name} ${row} × ${col}`;

/** The settings of a closed section in one line. */
export function stateOf(id: SectionId, { desc, x, w, b, dy }: Problem): string {
  switch (id) {
    case 'moves':
      return [
        paddingOf(desc),
        pair('stride', desc.stride_h, desc.stride_w),
        pair('dilation', desc.dilation_h, desc.dilation_w),
      ].join(', ');
    case 'x':
      return [
        `${desc.h} × ${desc.w}`,
        counted(desc.c, 'channel'),
        ...(desc.n > 1 ? [`batch ${desc.n}`] : []),
        valuesOf('x', x),
      ].join(', ');
    case 'w':
      return [
        `${desc.kh} × ${desc.kw}`,
        counted(desc.k, 'filter'),
        ...(desc.groups > 1 ? [counted(desc.groups, 'group')] : []),
        valuesOf('w', w),
        ...(b ? ['bias'] : []),
      ].join(', ');
    case 'dy':
      return dyEntry(dy).label;
  }
}

function paddingOf(desc: ConvDesc): string {
  if (desc.padding_mode === 'same' || desc.padding_mode === 'full') return `${desc.padding_mode} padding`;
  const { top, bottom, left, right } = resolvePadding(desc);
  if (top + bottom + left + right === 0) return 'no padding';
  return [bottom, left, right].every((side) => side === top) ? `padding ${top}` : 'custom padding';
}

function valuesOf(tensor: 'x' | 'w', { source, edited }: InputTensor): string {
  const choice = choicesOf(tensor).find(({ is }) => is(source));
  return `${choice?.label ?? tensorEntry(source).title(source)}${edited ? ', edited' : ''}`;
}
