import type { LayerValues, NotShown, OpenableLayer } from '../../formats/judged-layer';
import { upstreamOf } from '../../formats/judged-layer';
import { INPUTS, type InputName } from '../../protocol/problem';
import { xShape } from '../../protocol/shapes';
import type { LayerVerdict } from '../../protocol/verdict';
import { resized } from '../../sources/inputs';
import type { EditResult } from '../../state/edits';
import { openOf, type Problem, problemOfLayer } from '../../state/problem';
import { editNumbers } from '../../state/value-edits';

const KINDS: Readonly<Record<LayerVerdict['kind'], string>> = {
  conv: 'convolution',
  conv1d: 'convolution along one axis',
  conv_transpose: 'transposed convolution',
  relu: 'ReLU',
  max_pool: 'max pooling',
  average_pool: 'average pooling',
};

export const kindText = ({ kind }: Pick<LayerVerdict, 'kind'>): string => KINDS[kind];

/** Why the page cannot open a layer, as a sentence. */
export function notShownText({ kind }: Pick<LayerVerdict, 'kind'>, why: NotShown): string {
  if (typeof why !== 'string') return `${why.sizes.charAt(0).toUpperCase()}${why.sizes.slice(1)}.`;
  if (why === 'geometry') return 'No geometry fits, so the layer cannot be opened on this page.';
  if (why === 'inputs') return 'The layer has no x and w to open on this page.';
  return `This page opens convolutions only. This is ${kind === 'conv_transpose' ? 'a ' : ''}${KINDS[kind]}.`;
}

/** Opens the layer in place of the problem, also of a network. */
export function editLayer(
  problem: Problem,
  layer: LayerVerdict,
  opened: OpenableLayer,
  values: LayerValues,
  name: string,
): EditResult {
  const { w, b, desc: before } = openOf(problem);
  const { layout } = before;
  const x = resized(problem.x, 'pixels', layout, layout, xShape(before));
  const alone = problemOfLayer(before, { x, w, b, dy: { kind: 'ones' } });
  const given = upstreamOf(layer, opened, values);
  const tensors: Partial<Record<InputName, Float32Array>> = given ? { dy: given } : {};
  for (const input of INPUTS) {
    const data = input === 'dy' ? undefined : values[input];
    if (data) tensors[input] = data;
  }
  const edited = editNumbers(alone, { desc: opened.desc, tensors, name, removesBias: !values.b });
  if ('error' in edited || layer.dy !== 'ones') return edited;
  return { problem: { ...edited.problem, dy: { kind: 'ones' } } };
}
