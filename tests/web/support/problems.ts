import type { ConvDesc } from '../../../web/src/protocol/problem';
import { editDesc } from '../../../web/src/state/edits';
import { type Layer, type OpenLayer, openOf, type Problem } from '../../../web/src/state/problem';

/** The problem with other valid sizes, of any cost. */
export function withDesc(problem: Problem, desc: ConvDesc): Problem {
  const edited = editDesc(problem, problem, desc, true);
  if ('error' in edited) throw new Error(edited.error.message);
  return edited.problem;
}

/** A problem as if its open layer were alone. */
export const partsOf = (problem: Problem): OpenLayer & Pick<Problem, 'x' | 'dy'> => ({
  ...openOf(problem),
  x: problem.x,
  dy: problem.dy,
});

/** The convolution with a number, counted from 0. */
export function convolutionOf({ layers }: Problem, index: number): Extract<Layer, { kind: 'conv' }> {
  const layer = layers[index];
  if (layer?.kind !== 'conv') throw new Error(`layer ${index} is no convolution`);
  return layer;
}
