import { unreadOf } from '../../geometry/coverage';
import { inputsWithSameOutput, sizeFormula } from '../../geometry/sizes';
import type { ConvDesc, Geometry } from '../../protocol/problem';
import { type AxisGroup, inputPatch } from './axis-group';
import { Solver, type SolverProps } from './Solver';
import { ValueButtons } from './ValueButtons';

interface AxisCardProps extends Pick<SolverProps, 'wanted' | 'onState'> {
  readonly geometry: Geometry;
  readonly desc: ConvDesc;
  readonly group: AxisGroup;
  readonly onDesc: (patch: Partial<ConvDesc>) => void;
}

/** The sizes of an axis: the formula, other inputs with the same output, and the formula solved for any size. */
export function AxisCard({ geometry, desc, group, wanted, onState, onDesc }: AxisCardProps) {
  const { axis, title } = group;
  const formula = sizeFormula(desc, axis);
  const input = axis === 'row' ? desc.h : desc.w;
  const inputs = inputsWithSameOutput(desc, axis);
  const noun = group.axes.length === 2 ? 'size' : axis === 'row' ? 'height' : 'width';
  return (
    <section class="axis-card">
      <h3>{title}</h3>
      <p class="axis-card__note">
        {axis === 'row' ? 'oh' : 'ow'} = {formula.names}
      </p>
      <p class="axis-card__numbers">{formula.numbers}</p>
      <h4 class="axis-card__heading">
        Input {noun}s with the same output ({formula.output})
      </h4>
      <ValueButtons
        label={`input ${noun}s with the same output`}
        values={inputs}
        current={input}
        onPick={(value) => onDesc(inputPatch(group, value))}
      />
      <p class="kit__note">
        {inputs.length > 1
          ? 'dy does not determine the size of x, so the backward pass needs it as an argument.'
          : 'dy determines the size of x.'}{' '}
        {leftOver(geometry, group)}
      </p>
      <Solver desc={desc} group={group} wanted={wanted} onState={onState} onDesc={onDesc} />
    </section>
  );
}

/** Describes the remainder that the stride leaves at the end. */
function leftOver(g: Geometry, { axis, axes }: AxisGroup): string {
  const count = unreadOf(g, axis).remainder.length;
  const remainder = axis === 'row' ? g.remainder_h : g.remainder_w;
  const lines =
    axes.length === 2
      ? ['row and column', 'rows and columns']
      : axis === 'row'
        ? ['row', 'rows']
        : ['column', 'columns'];
  if (remainder === 0) return 'The last window ends at the edge of the padded input: there is no remainder.';
  if (count === 0)
    return `The remainder is ${remainder}, all of it padding: every ${lines[0]} at the end of x is read.`;
  const last = count === 1 ? `The last ${lines[0]} of x is` : `The last ${count} ${lines[1]} of x are`;
  return `The remainder is ${remainder}. ${last} never read, so the gradient there is exactly 0 (hatched).`;
}
