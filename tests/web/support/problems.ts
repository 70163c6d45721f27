import type { ComputeResult, LayerContent } from '../../../web/src/protocol/messages';
import type { ConvDesc } from '../../../web/src/protocol/problem';
import { editDesc } from '../../../web/src/state/edits';
import { resultOf, type Shown } from '../../../web/src/state/exchange';
import { type Layer, type Problem, type ShownLayer, shownIndex, shownLayer } from '../../../web/src/state/problem';

/** The problem with other valid sizes, of any cost. */
export function withDesc(problem: Problem, desc: ConvDesc): Problem {
  const edited = editDesc(problem, shownIndex(problem, null), problem, desc, true);
  if ('error' in edited) throw new Error(edited.error.message);
  return edited.problem;
}

/** A layer of a problem, counted from 0; by default the first one with weights. */
export const layerOf = (problem: Problem, layer: number | null = null): ShownLayer => shownLayer(problem, layer);

/** A result as the views draw it. */
export function contentOf(problem: Problem, result: ComputeResult, layer: number | null = null): Shown {
  const all = resultOf(problem, result, null);
  return { ...(all.layers[shownIndex(problem, layer)] as LayerContent), ...all };
}

/** A problem as if its first layer with weights were alone. */
export const partsOf = (problem: Problem): ShownLayer & Pick<Problem, 'loss'> => ({
  ...layerOf(problem),
  loss: problem.loss,
});

/** The convolution with a number, counted from 0. */
export function convolutionOf({ layers }: Problem, index: number): Extract<Layer, { kind: 'conv' }> {
  const layer = layers[index];
  if (layer?.kind !== 'conv') throw new Error(`layer ${index} is no convolution`);
  return layer;
}
