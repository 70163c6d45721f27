import type { ConvDesc } from '../../protocol/problem';
import { resolvePadding } from '../../protocol/shapes';
import { DY_SOURCES, dyEntry } from '../../sources/dy-sources';
import { DY_WORDS } from '../../sources/dy-words';
import type { InputTensor } from '../../sources/inputs';
import { choicesOf, type TensorSource, tensorEntry } from '../../sources/tensor-sources';
import { endOf, type OpenLayer, openOf, type Problem } from '../../state/problem';
import type { Store } from '../../state/store';
import { Button } from '../../ui/controls/Button';
import { type Option, Select } from '../../ui/controls/Choice';
import { counted } from '../../ui/quantities';
import type { SectionId } from '../page/sections';

interface SourceFieldProps {
  readonly tensor: 'x' | 'w' | 'dy';
  readonly options: readonly Option<string>[];
  readonly value: string;
  /** Shown when no option matches. */
  readonly placeholder?: string;
  readonly onChoose: (key: string) => void;
  /** Missing: the source has no other values of its kind. */
  readonly onShuffle: (() => void) | undefined;
  readonly note?: string;
}

function SourceField({ tensor, onChoose, onShuffle, note, ...select }: SourceFieldProps) {
  return (
    <div class="value-source grid tight">
      <Select label={tensor === 'w' ? 'filter' : 'values'} {...select} onChange={onChoose} />
      {onShuffle && (
        <Button label={`Shuffle ${tensor}`} onClick={onShuffle}>
          Shuffle
        </Button>
      )}
      {note && <p class="value-source__note note">{note}</p>}
    </div>
  );
}

export function ValueSource({ tensor, store }: { readonly tensor: 'x' | 'w'; readonly store: Store }) {
  const { source, edited, data } = tensor === 'x' ? store.problem.value.x : openOf(store.problem.value).w;
  const choices = choicesOf(tensor);
  const { title, another } = tensorEntry(source);
  const next = edited ? undefined : another?.(source);
  /** An image filter has its own size; other sources fill the current size. */
  const set = (to: TensorSource) => (to.kind === 'filter' ? store.setFilter(to.name) : store.setSource(tensor, to));
  return (
    <SourceField
      tensor={tensor}
      options={choices.map(({ key, label }) => ({ value: key, label }))}
      value={edited ? '' : (choices.find(({ is }) => is(source))?.key ?? '')}
      placeholder={edited ? `${title(source)}, edited` : title(source)}
      onChoose={(key) => {
        const chosen = choices.find((choice) => choice.key === key);
        if (chosen) set(chosen.make(data.length));
      }}
      onShuffle={next && (() => set(next))}
    />
  );
}

const DY_OPTIONS = DY_SOURCES.map(({ kind }) => ({
  value: kind,
  label: DY_WORDS[kind].label,
  hint: DY_WORDS[kind].description,
}));

/** The source of the upstream gradient. It takes the store, so that computed values render only this part again. */
export function DySourceField({ store }: { readonly store: Store }) {
  const problem = store.problem.value;
  const source = problem.dy;
  const image = store.shown.value;
  const shown = image?.layers.at(-1)?.tensors.dy;
  // null while it is being computed.
  const dy = image?.problem === problem ? (shown?.data ?? null) : null;
  const { another, loss } = dyEntry(source);
  const next = another?.(source);
  const hasNoTarget = loss?.target(source) === null;
  return (
    <SourceField
      tensor="dy"
      options={DY_OPTIONS}
      value={source.kind}
      onChoose={(kind) => {
        const chosen = DY_SOURCES.find((candidate) => candidate.kind === kind);
        if (chosen) store.setDySource(chosen.make({ shape: endOf(problem), dy }));
      }}
      onShuffle={next && (() => store.setDySource(next))}
      note={`${DY_WORDS[source.kind].description}${hasNoTarget ? ' The target is 0 until you choose one in the menu of dy.' : ''}`}
    />
  );
}

const pair = (name: string, row: number, col: number): string =>
  row === col ? `${name} ${row}` : `${name} ${row} × ${col}`;

const STATES: Readonly<Record<SectionId, (open: OpenLayer, problem: Problem) => readonly (string | false | null)[]>> = {
  moves: ({ desc }) => [
    paddingOf(desc),
    pair('stride', desc.stride_h, desc.stride_w),
    pair('dilation', desc.dilation_h, desc.dilation_w),
  ],
  x: ({ desc: { n, h, w, c }, fixed }, { x }) => [
    `${h} × ${w}`,
    counted(c, 'channel'),
    n > 1 && `batch ${n}`,
    fixed.x ?? valuesOf('x', x),
  ],
  w: ({ desc: { kh, kw, k, groups }, w, b }) => [
    `${kh} × ${kw}`,
    counted(k, 'filter'),
    groups > 1 && counted(groups, 'group'),
    valuesOf('w', w),
    b && 'bias',
  ],
  dy: (_, { dy }) => [DY_WORDS[dy.kind].label],
};

/** The settings of a closed section in one line. */
export const sectionState = (id: SectionId, problem: Problem): string =>
  STATES[id](openOf(problem), problem).filter(Boolean).join(', ');

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
