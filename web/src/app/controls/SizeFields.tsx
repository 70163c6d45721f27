import { useState } from 'preact/hooks';
import { boundsOf } from '../../geometry/sizes';
import { isPerPosition } from '../../losses/list';
import { type ConvDesc, type ConvError, type Padding, SIDES, type SizeName } from '../../protocol/problem';
import { flatDesc, paddingName, resolvePadding } from '../../protocol/shapes';
import { SIZES, type SizePart, sizesOfPart } from '../../protocol/size-table';
import type { InputTensor } from '../../sources/inputs';
import { another, LOSS_WORDS, wordOf } from '../../sources/loss';
import { LOSS_TEXTS, lossOf } from '../../sources/loss-menu';
import { choicesOf, type TensorSource, tensorEntry } from '../../sources/tensor-sources';
import { endOf, type Problem, type ShownLayer } from '../../state/problem';
import type { Store } from '../../state/store';
import { Button } from '../../ui/controls/Button';
import { type Option, Segmented, Select } from '../../ui/controls/Choice';
import { type NumberBounds, NumberField } from '../../ui/controls/NumberField';
import { counted } from '../../ui/quantities';
import { LINES } from '../page/icons';
import type { SectionId } from '../page/sections';

interface DescProps {
  readonly desc: ConvDesc;
  /** The last error of the library or the store, for any field. */
  readonly error: ConvError | null;
  readonly onChange: (patch: Partial<ConvDesc>, field: SizeName | 'padding_mode') => void;
}

export const FieldError = ({ error }: { error: ConvError | null | undefined }) =>
  error ? (
    <p class="field-message" role="alert">
      {error.message}
    </p>
  ) : null;

const MODES = [
  { value: 'valid', label: 'valid', hint: 'no padding' },
  { value: 'same', label: 'same', hint: 'output size = input size / stride, rounded up (as in TensorFlow)' },
  { value: 'full', label: 'full', hint: 'every overlap of w and x' },
  { value: 'explicit_sides', label: 'custom', hint: 'set each side' },
] as const;

export function PaddingFields({ desc, error, onChange }: DescProps) {
  const padding = resolvePadding(desc);
  const [custom, setCustom] = useState(false);
  return (
    <div class="padding-fields grid tight">
      <Segmented
        label="padding"
        options={MODES}
        value={custom ? desc.padding_mode : paddingName(desc)}
        // Custom starts from the current padding.
        onChange={(mode) => {
          const sides = mode === 'explicit_sides';
          setCustom(sides);
          onChange({ padding_mode: mode, ...(sides && { padding }) }, 'padding_mode');
        }}
      />
      {desc.padding_mode === 'explicit_sides' ? (
        <SizeFields
          part="padding"
          {...{ desc, error }}
          onChange={(patch, field) => {
            setCustom(false);
            onChange(patch, field);
          }}
        />
      ) : (
        <p class="padding-fields__sides note">{sentence(padding)}</p>
      )}
      <FieldError error={error?.field === 'padding_mode' ? error : null} />
    </div>
  );
}

function sentence({ top, bottom, left, right }: Padding) {
  if (top + bottom + left + right === 0) return 'No padding.';
  if (top === bottom && top === left && top === right) return `${top} on each side.`;
  return `top ${top}, bottom ${bottom}, left ${left}, right ${right}`;
}

/** The numbers of a part: one field while all are equal, unless the user splits it. */
export function SizeFields({ part, ...common }: DescProps & { part: SizePart }) {
  const { desc, onChange } = common;
  const [split, setSplit] = useState(false);
  const [first, ...rest] = sizesOfPart(part).map(({ name }) => name);
  if (!first) return null;
  if (rest.length === 0) return <DescField {...common} field={first} />;
  const values = flatDesc(desc);
  const differ = rest.some((name) => values[name] !== values[first]);
  const apart = differ || split;
  const ofSides = part === 'padding';
  return (
    <div class="axis-fields grid tight">
      {apart ? (
        <div>
          {[first, ...rest].map((name) => (
            <DescField key={name} {...common} field={name} shortLabel={name.split('.')[1]} />
          ))}
        </div>
      ) : (
        <DescField
          {...common}
          field={first}
          linked={rest}
          label={ofSides ? 'padding all sides' : part}
          shortLabel={ofSides ? 'all sides' : undefined}
        />
      )}
      <LinkedFieldsToggle
        label={ofSides ? 'padding: same on all sides' : `${part}: same for height and width`}
        linked={!apart}
        onChange={(linked) => {
          setSplit(!linked);
          if (linked && differ) onChange(patchOf(desc, rest, values[first]), first);
        }}
      />
    </div>
  );
}

/** One number of ConvDesc: label, bounds with reasons, slider, and its error. */
function DescField({
  desc,
  field,
  linked = [],
  label,
  shortLabel,
  error,
  onChange,
}: DescProps & {
  field: SizeName;
  /** Further fields that get the same value: the other axis, or the other three sides. */
  linked?: readonly SizeName[];
  label?: string;
  shortLabel?: string | undefined;
}) {
  const fields = [field, ...linked];
  const size = SIZES[field];
  return (
    <NumberField
      label={label ?? size.label}
      field={field}
      shortLabel={shortLabel}
      value={flatDesc(desc)[field]}
      bounds={fields.map((name) => boundsOf(desc, name)).reduce(tighter)}
      sliderMax={size.slider}
      error={fields.some((name) => name === error?.field) ? error?.message : null}
      onChange={(value) => onChange(patchOf(desc, fields, value), field)}
    />
  );
}

/** The intersection of two bounds, with reasons. */
const tighter = (a: NumberBounds, b: NumberBounds): NumberBounds => ({
  min: Math.max(a.min, b.min),
  minReason: b.min > a.min ? b.minReason : a.minReason,
  max: Math.min(a.max, b.max),
  maxReason: b.max < a.max ? b.maxReason : a.maxReason,
  values: a.values ?? b.values,
});

/** The patch that sets several sizes to the same value. */
function patchOf(desc: ConvDesc, names: readonly SizeName[], value: number): Partial<ConvDesc> {
  const sides = SIDES.filter((side) => names.includes(`padding.${side}`));
  const padding = { ...desc.padding, ...Object.fromEntries(sides.map((side) => [side, value])) };
  const others = Object.fromEntries(names.filter((name) => !name.startsWith('padding.')).map((name) => [name, value]));
  return sides.length > 0 ? { ...others, padding } : others;
}

/** Toggle for linked fields: a closed or an open chain link. */
const LinkedFieldsToggle = ({
  label,
  linked,
  onChange,
}: {
  label: string;
  linked: boolean;
  onChange: (linked: boolean) => void;
}) => (
  <button
    type="button"
    class="link-toggle lit"
    aria-label={label}
    aria-pressed={linked}
    title={label}
    onClick={() => onChange(!linked)}
  >
    <svg {...LINES} width="14" height="18" viewBox="0 0 14 18" stroke-width="1.6" aria-hidden="true">
      <path d="M4 7.5V5a3 3 0 0 1 6 0v2.5M4 10.5V13a3 3 0 0 0 6 0v-2.5" />
      {linked && <path d="M7 6v6" />}
    </svg>
  </button>
);

function SourceField<Value extends string>({
  tensor,
  onChoose,
  onShuffle,
  note,
  ...select
}: {
  tensor: 'x' | 'w' | 'dy';
  options: readonly Option<Value>[];
  value: Value;
  /** Shown when no option matches. */
  placeholder?: string;
  onChoose: (value: Value) => void;
  /** Missing: the source has no other values of its kind. */
  onShuffle: (() => void) | undefined;
  note?: string;
}) {
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

export function ValueSource({ tensor, store }: { tensor: 'x' | 'w'; store: Store }) {
  const { source, edited, data } = store.layer.value[tensor];
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

const LOSS_OPTIONS = LOSS_WORDS.map((value) => ({
  value,
  label: LOSS_TEXTS[value].label,
  hint: LOSS_TEXTS[value].description,
}));

/** The loss, or the source of a given dy. It takes the store, so that computed values render only this part again. */
export function LossField({ store }: { store: Store }) {
  const problem = store.problem.value;
  const { loss } = problem;
  const chosen = wordOf(loss);
  const image = store.shown.value;
  const shown = image?.layers.at(-1)?.tensors.dy;
  // null while it is being computed.
  const dy = image?.problem === problem ? (shown?.data ?? null) : null;
  const next = another(loss);
  const hasNoTarget = loss.kind !== 'given' && !loss.target;
  return (
    <SourceField
      tensor="dy"
      options={LOSS_OPTIONS}
      value={chosen}
      onChoose={(word) => store.setLoss(lossOf(word, { shape: endOf(problem), dy }))}
      onShuffle={next && (() => store.setLoss(next))}
      note={`${LOSS_TEXTS[chosen].description}${hasNoTarget ? ` The target is ${isPerPosition(loss.kind) ? 'class 0' : '0'} until you choose one in the menu of dy.` : ''}`}
    />
  );
}

const pair = (name: string, row: number, col: number) => (row === col ? `${name} ${row}` : `${name} ${row} × ${col}`);

const STATES: Readonly<Record<SectionId, (layer: ShownLayer, problem: Problem) => readonly (string | false | null)[]>> =
  {
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
    dy: (_, { loss }) => [LOSS_TEXTS[wordOf(loss)].label],
  };

/** The settings of a closed section in one line. */
export const sectionState = (id: SectionId, layer: ShownLayer, problem: Problem): string =>
  STATES[id](layer, problem).filter(Boolean).join(', ');

function paddingOf(desc: ConvDesc) {
  if (desc.padding_mode === 'same' || desc.padding_mode === 'full') return `${desc.padding_mode} padding`;
  const { top, bottom, left, right } = resolvePadding(desc);
  if (top + bottom + left + right === 0) return 'no padding';
  return [bottom, left, right].every((side) => side === top) ? `padding ${top}` : 'custom padding';
}

function valuesOf(tensor: 'x' | 'w', { source, edited }: InputTensor) {
  const choice = choicesOf(tensor).find(({ is }) => is(source));
  return `${choice?.label ?? tensorEntry(source).title(source)}${edited ? ', edited' : ''}`;
}
