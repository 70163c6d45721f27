import { type AxisField, axisSizes, solveAxis } from '../../geometry/sizes';
import type { ViewState } from '../../look/look';
import type { ConvDesc } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import { NumberField } from '../../ui/controls/NumberField';

import { type AxisGroup, FIELDS, mostOf, solutionPatch } from './axis-group';
import { ValueButtons } from './ValueButtons';

export interface SolverProps {
  readonly desc: ConvDesc;
  readonly group: AxisGroup;
  readonly wanted: ViewState;
  readonly onState: (change: ViewState) => void;
  readonly onDesc: (patch: Partial<ConvDesc>) => void;
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
export function Solver({ desc, group, wanted, onState, onDesc }: SolverProps) {
  const { id, axis } = group;
  const sizes = axisSizes(desc, axis);
  const unknown = FIELDS.find((field) => field === wanted[`${id}-unknown`]) ?? 'stride';
  const asked = wanted[`${id}-output`];
  const output = typeof asked === 'number' ? asked : sizes.out;
  const target = unknown === 'out' ? sizes : { ...sizes, out: output };
  const values = solveAxis(target, unknown, 1, mostOf(unknown, sizes));
  const options = FIELDS.map((field) => ({ value: field, label: WORDS[field] }));
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
          onPick={(value) => onDesc(solutionPatch(desc, group, unknown, value))}
        />
      ) : (
        <p class="kit__note">
          No {WORDS[unknown]} gives an output of {target.out} with the other sizes.
        </p>
      )}
      <p class="kit__note">{sentence(unknown, values, target.out)}</p>
    </div>
  );
}

function sentence(unknown: AxisField, values: readonly number[], out: number): string {
  if (unknown === 'out') return 'Fixed by the other five.';
  if (values.length === 0) return 'Solve for another size.';
  if (unknown === 'pad')
    return `Padding of both sides, for an output of ${out}. Click to use it; an odd cell goes to the end.`;
  return `Each ${WORDS[unknown]} gives an output of ${out}. Click to use it.`;
}
