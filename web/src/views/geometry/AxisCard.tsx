import { axisNames, type Spatial, unreadOf } from '../../geometry/axis';
import {
  type AxisField,
  type AxisSizes,
  axisSizes,
  inputsWithSameOutput,
  sizeFormula,
  solveAxis,
} from '../../geometry/sizes';
import type { ConvDesc, Geometry } from '../../protocol/problem';
import { resolvePadding } from '../../protocol/shapes';
import { Segmented } from '../../ui/controls/Choice';
import { NumberField } from '../../ui/controls/NumberField';
import { useViewModel, type ViewProps } from '../shared/view-model';

/** Axes with the same sizes, shown and changed together. */
interface AxisGroup {
  readonly id: string;
  readonly title: string;
  /** The first of `axes`; its sizes are those of all. */
  readonly axis: Spatial;
  readonly axes: readonly Spatial[];
  /** One of its sizes, and one of its lines of x. */
  readonly size: string;
  readonly line: string;
}

const BOTH = { id: 'both', title: 'Rows and columns', size: 'size', line: 'row and column' } as const;
const TOGETHER: readonly AxisGroup[] = [{ ...BOTH, axis: 'row', axes: ['row', 'col'] }];
const APART: readonly AxisGroup[] = [
  { id: 'row', title: 'Rows', axis: 'row', axes: ['row'], size: 'height', line: 'row' },
  { id: 'col', title: 'Columns', axis: 'col', axes: ['col'], size: 'width', line: 'column' },
];

export function axisGroups(desc: ConvDesc): readonly AxisGroup[] {
  const { top, bottom, left, right } = resolvePadding(desc);
  const [rows, cols] = [axisSizes(desc, 'row'), axisSizes(desc, 'col')];
  const same = AXIS_FIELDS.every((field) => rows[field] === cols[field]) && top === left && bottom === right;
  return same ? TOGETHER : APART;
}

export const AXIS_FIELDS: readonly AxisField[] = ['in', 'pad', 'kernel', 'dilation', 'stride', 'out'];

/** Another input size; the padding mode is kept. */
export function inputPatch({ axes }: AxisGroup, value: number): Partial<ConvDesc> {
  return merged(axes.map((axis) => ({ [axisNames(axis).in]: value })));
}

/** A solution of the size formula. The padding becomes explicit, so that it stays the padding of the solution. */
export function solutionPatch(desc: ConvDesc, { axes }: AxisGroup, field: AxisField, value: number): Partial<ConvDesc> {
  const now = resolvePadding(desc);
  if (field === 'pad') {
    const before = Math.floor(value / 2);
    const sides = axes.map((axis) => ({ [axisNames(axis).before]: before, [axisNames(axis).after]: value - before }));
    return { padding_mode: 'explicit_sides', padding: { ...now, ...merged(sides) } };
  }
  if (field === 'out') return {};
  const sizes = merged(axes.map((axis) => ({ [axisNames(axis)[field]]: value })));
  return { ...sizes, padding_mode: 'explicit_sides', padding: now };
}

const merged = <T extends object>(parts: readonly T[]): Partial<T> => Object.assign({}, ...parts);

/** Largest value tried when the formula is solved for a field. */
const LARGEST: Readonly<Record<AxisField, number>> = {
  in: 128,
  pad: 64,
  kernel: 31,
  dilation: 32,
  stride: 32,
  out: 128,
};

const mostOf = (field: AxisField, sizes: AxisSizes) => Math.max(LARGEST[field], sizes[field]);

interface AxisCardProps extends Pick<ViewProps, 'wanted' | 'onState'> {
  readonly group: AxisGroup;
}

/** The sizes of an axis: the formula, other inputs with the same output, and the formula solved for any size. */
export function AxisCard({ group, wanted, onState }: AxisCardProps) {
  const { content, events } = useViewModel();
  const { geometry, desc } = content.value;
  const { axis, title, size } = group;
  const formula = sizeFormula(desc, axis);
  const input = axis === 'row' ? desc.h : desc.w;
  const inputs = inputsWithSameOutput(desc, axis);
  return (
    <section class="axis-card">
      <h3 class="view-title">{title}</h3>
      <p class="note">
        {axis === 'row' ? 'oh' : 'ow'} = {formula.names}
      </p>
      <p class="axis-card__numbers">{formula.numbers}</p>
      <h4 class="axis-card__heading">
        Input {size}s with the same output, {formula.output}
      </h4>
      <ValueButtons
        label={`input ${size}s with the same output`}
        values={inputs}
        current={input}
        onPick={(value) => events.onDesc(inputPatch(group, value))}
      />
      <p class="kit__note note">
        {inputs.length > 1
          ? 'dy does not determine the size of x, so the backward pass needs it as an argument.'
          : 'dy determines the size of x.'}{' '}
        {leftOver(geometry, group)}
      </p>
      <Solver group={group} wanted={wanted} onState={onState} />
    </section>
  );
}

/** Describes the remainder that the stride leaves at the end. */
function leftOver(g: Geometry, { axis, title, line }: AxisGroup) {
  const count = unreadOf(g, axis).remainder.length;
  const remainder = axis === 'row' ? g.remainder_h : g.remainder_w;
  if (remainder === 0) return 'The last window ends at the edge of the padded input: there is no remainder.';
  if (count === 0) return `The remainder is ${remainder}, all of it padding: every ${line} at the end of x is read.`;
  const last = count === 1 ? `The last ${line} of x is` : `The last ${count} ${title.toLowerCase()} of x are`;
  return `The remainder is ${remainder}. ${last} never read, so the gradient there is exactly 0 (hatched).`;
}

const WORDS: Readonly<Record<AxisField, string>> = {
  in: 'input',
  pad: 'padding',
  kernel: 'kernel',
  dilation: 'dilation',
  stride: 'stride',
  out: 'output',
};

/** Solves the size formula for one size: "which stride gives an output of 8?" */
function Solver({ group, wanted, onState }: AxisCardProps) {
  const { content, events } = useViewModel();
  const { desc } = content.value;
  const { id, axis } = group;
  const sizes = axisSizes(desc, axis);
  const unknown = AXIS_FIELDS.find((field) => field === wanted[`${id}-unknown`]) ?? 'stride';
  const asked = wanted[`${id}-output`];
  const output = typeof asked === 'number' ? asked : sizes.out;
  const target = unknown === 'out' ? sizes : { ...sizes, out: output };
  const values = solveAxis(target, unknown, 1, mostOf(unknown, sizes));
  const options = AXIS_FIELDS.map((field) => ({ value: field, label: WORDS[field] }));
  return (
    <div class="solver">
      <h4 class="axis-card__heading">Solve for</h4>
      <Segmented
        label={`solve ${group.title.toLowerCase()} for`}
        quiet
        options={options}
        value={unknown}
        onChange={(field) => onState({ [`${id}-unknown`]: field })}
      />
      {unknown !== 'out' && (
        <NumberField
          label={`target output, ${group.title.toLowerCase()}`}
          shortLabel="output"
          value={output}
          sliderMax={16}
          bounds={{
            min: 1,
            max: 128,
            minReason: 'an output has at least one cell',
            maxReason: 'larger outputs are not listed',
            values: null,
          }}
          onChange={(value) => onState({ [`${id}-output`]: value })}
        />
      )}
      {values.length > 0 ? (
        <ValueButtons
          label={`${WORDS[unknown]} for an output of ${target.out}`}
          values={values}
          current={target.out === sizes.out ? sizes[unknown] : Number.NaN}
          onPick={(value) => events.onDesc(solutionPatch(desc, group, unknown, value))}
        />
      ) : (
        <p class="kit__note note">
          No {WORDS[unknown]} gives an output of {target.out} with the other sizes.
        </p>
      )}
      <p class="kit__note note">{solutionSentence(unknown, values, target.out)}</p>
    </div>
  );
}

function solutionSentence(unknown: AxisField, values: readonly number[], out: number) {
  if (unknown === 'out') return 'Fixed by the other five.';
  if (values.length === 0) return 'Solve for another size.';
  if (unknown === 'pad')
    return `Padding of both sides, for an output of ${out}. Click to use it; an odd cell goes to the end.`;
  return `Each ${WORDS[unknown]} gives an output of ${out}. Click to use it.`;
}

/** Buttons at most; of more values, only the last is shown. */
const MOST = 16;

function ValueButtons({
  label,
  values,
  current,
  onPick,
}: {
  label: string;
  values: readonly number[];
  current: number;
  onPick: (value: number) => void;
}) {
  const shown = values.slice(0, MOST);
  return (
    <fieldset class="values row wrap tight">
      <legend class="visually-hidden">{label}</legend>
      {shown.map((value) => (
        <button
          key={value}
          type="button"
          class="values__button"
          aria-pressed={value === current}
          onClick={() => {
            if (value !== current) onPick(value);
          }}
        >
          {value}
        </button>
      ))}
      {values.length > shown.length && <span class="values__more">… {values.at(-1)}</span>}
    </fieldset>
  );
}
