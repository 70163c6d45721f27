import '../../../link/network-fields';
import { withMinus } from '../../../geometry/labels';
import { linesRead } from '../../../geometry/reach';
import { isTransposed, isWeighted, LAYERS, type LayerKind, layerTitle, windowOf } from '../../../layers/list';
import type { NamedTerm } from '../../../layers/view';
import { layerView } from '../../../layers/views';
import { ownerOf } from '../../../protocol/layers';
import type { NetworkTensor } from '../../../protocol/problem';
import { type Problem, sizesOf } from '../../../state/problem';
import { type AskedCell, judgedAs } from '../predict/predictor';
import {
  axesOf,
  type COUNTS,
  type CountTask,
  countTask,
  type LayerAxis,
  outputs,
  paddingText,
  productsAlong,
  size,
} from './counts';

/** Questions about networks of one image and channel: a hidden value, and receptive fields. Index maths only. */

export interface NetworkCell {
  readonly cell: AskedCell;
  /** "dy1[1,2]" */
  readonly name: string;
  /** How the library judges it: the layer counted from 0, and the pass of that layer. */
  readonly judged: { readonly layer: number; readonly pass: ReturnType<typeof judgedAs> };
  /** The layer that computes it, in sentences: the view draws small weights without numbers. */
  readonly layer: readonly string[];
  /** The last hint: what it is computed from, by names. */
  readonly formula: string;
}

type Dice = (below: number) => number;

interface Layer {
  /** "max pooling 2 × 2" */
  readonly title: string;
  readonly kind: LayerKind;
  readonly rows: LayerAxis;
  readonly cols: LayerAxis;
  /** Kernel rows, kernel columns; null: none. */
  readonly weights: Float32Array | null;
}

function layersOf(problem: Problem): readonly Layer[] {
  const sizes = sizesOf(problem);
  return problem.layers.map((layer, i) => {
    const input = sizes[i] ?? problem.input;
    const weights = isWeighted(layer) ? layer.w.data : null;
    return { title: layerTitle(layer), kind: layer.kind, weights, ...axesOf(windowOf(layer, input)) };
  });
}

/** "max pooling 3 × 3, stride 2, padding 0." */
function wordsOf({ title, kind, rows, cols }: Layer): string {
  if (LAYERS[kind].pointwise) return `${title}.`;
  const padding = { top: rows.before, bottom: rows.after, left: cols.before, right: cols.after };
  const stride = rows.stride === cols.stride ? rows.stride : size(rows.stride, cols.stride);
  return `${title}, stride ${stride}, padding ${paddingText(padding)}.`;
}

const sentenceOf = (layer: Layer, number: number): string => `Layer ${number}: ${wordsOf(layer)}`;

/** "w2, row by row: 1, 2; 3, 4." */
function weightsText(weights: Float32Array, columns: number, number: number): string {
  const texts = Array.from(weights, withMinus);
  const rows = Array.from({ length: texts.length / columns }, (_, row) =>
    texts.slice(row * columns, (row + 1) * columns).join(', '),
  );
  return `w${number}, row by row: ${rows.join('; ')}.`;
}

const at = (row: number, col: number): string => `[${row},${col}]`;

/** The cells of y1, dy1, … or dx, by their index. null: no layer computes this tensor. */
export function networkCells(tensor: string, problem: Problem) {
  const layers = layersOf(problem);
  const owner = ownerOf(tensor, layers.length);
  const layer = owner && layers[owner.layer];
  if (!layer || owner.tensor === 'dy') return null;
  const made = owner.tensor;
  const isOutput = made === 'y';
  // Of the convolution of its geometry.
  const own = isOutput === isTransposed(layer.kind) ? 'dx' : 'y';
  const sizeOf = (axis: LayerAxis) => (own === 'y' ? outputs(axis) : axis.input);
  const number = owner.layer + 1;
  const input = number === 1 ? 'x' : `y${number - 1}`;
  const source = isOutput ? input : `dy${number}`;
  const end = own === 'y' ? 'input' : 'output';
  const termsOf = (row: number, col: number): readonly NamedTerm[] =>
    productsAlong(own, layer.rows, row).flatMap((r) =>
      productsAlong(own, layer.cols, col).map((c) => ({
        cell: source + at(r[end], c[end]),
        weight: `w${number}${at(r.tap, c.tap)}`,
      })),
    );
  const [rows, cols] = [sizeOf(layer.rows), sizeOf(layer.cols)];
  const placeOf = (index: number) => [Math.floor(index / cols), index % cols] as const;
  return {
    total: rows * cols,
    termsOf: (index: number) => termsOf(...placeOf(index)),
    cellAt(index: number): NetworkCell {
      const place = at(...placeOf(index));
      const terms = termsOf(...placeOf(index));
      return {
        cell: { tensor: tensor as NetworkTensor, index },
        name: tensor + place,
        layer: [
          sentenceOf(layer, number),
          ...(layer.weights ? [weightsText(layer.weights, layer.cols.kernel, number)] : []),
        ],
        judged: { layer: owner.layer, pass: judgedAs(made) },
        formula: `${tensor}${place} ${layerView(layer.kind).exercise[made](terms, input + place, layer.rows.kernel * layer.cols.kernel)}`,
      };
    },
  };
}

/**
 * A cell of such a tensor. Its number of terms is within `range`; below it only where no cell of the tensor has more. null: there is none,
 * draw again.
 */
export function drawnCell(
  tensor: string,
  problem: Problem,
  dice: Dice,
  [fewest, most]: readonly [number, number],
): NetworkCell | null {
  const cells = networkCells(tensor, problem);
  if (!cells) return null;
  const index = dice(cells.total);
  const counts = Array.from({ length: cells.total }, (_, each) => cells.termsOf(each).length);
  const count = counts[index] ?? 0;
  return count === 0 || count > most || count < Math.min(fewest, Math.max(...counts)) ? null : cells.cellAt(index);
}

/** A question about the sizes of a transposed convolution, the last layer. In the words it stands alone: from x to y. */
export function transposedCount(asked: string, entry: (typeof COUNTS)[string], problem: Problem): CountTask {
  const [layer] = layersOf(problem).slice(-1);
  if (!layer) throw new Error('there is no layer');
  const { rows, cols } = layer;
  const isColumns = asked.startsWith('columns');
  const axis = isColumns ? cols : rows;
  // Of the convolution from y to x.
  const [x, y] = [outputs(axis), axis.input];
  const moreOf = (along: LayerAxis) =>
    along.input + along.before + along.after - (outputs(along) - 1) * along.stride - along.kernel;
  const [down, across] = [moreOf(rows), moreOf(cols)];
  const sizes = {
    ...{ ...axis, x, y, more: moreOf(axis), lines: isColumns ? 'columns' : 'rows' },
    ...{ kh: rows.kernel, kw: cols.kernel, stride_h: rows.stride, stride_w: cols.stride },
    ...{ h: outputs(rows), w: outputs(cols), oh: rows.input, ow: cols.input },
  };
  const more = down === across ? down : `${down} (rows) and ${across} (columns)`;
  return countTask(entry, sizes, [
    `x has ${size(sizes.h, sizes.w)} cells.`,
    `Layer: ${wordsOf(layer)}`,
    ...(asked === 'output padding' ? [] : [`Output padding ${more}.`]),
  ]);
}

/** The rows or columns of x that one cell of the output depends on. Without padding, all cells of the output have as many. */
export function reachCount(asked: string, entry: (typeof COUNTS)[string], problem: Problem): CountTask {
  const layers = layersOf(problem);
  const lines = asked.split(' ')[0] ?? '';
  const axes = layers.map(({ rows, cols }) => (lines === 'rows' ? rows : cols));
  const count = (of: readonly LayerAxis[]) =>
    of.reduceRight<readonly number[]>((read, axis) => linesRead(axis, read), [0]).length;
  const kernels = axes.map(({ kernel }) => kernel);
  const isStrided = ({ stride }: LayerAxis) => stride > 1;
  let strides = 1;
  const strided = axes.reduce((sum, { kernel, stride }) => {
    strides *= stride;
    return sum + (kernel - 1) * strides;
  }, 1);
  const [first] = layers;
  const sizes = {
    ...{ lines, layers: layers.length, before_last: layers.length - 1, read: count(axes), strided_early: strided },
    without_strides: count(axes.map((axis) => ({ ...axis, stride: 1 }))),
    kernels_added: kernels.reduce((sum, kernel) => sum + kernel, 0),
    kernels_multiplied: kernels.reduce((product, kernel) => product * kernel, 1),
    ...{ first: kernels[0] ?? 0, last: kernels.at(-1) ?? 0 },
    ...{ is_strided: axes.some(isStrided), is_strided_inside: axes.slice(0, -1).some(isStrided) },
  };
  const x = first ? [`x has ${size(first.rows.input, first.cols.input)} cells.`] : [];
  return countTask(entry, sizes, [...x, ...layers.map((layer, i) => sentenceOf(layer, i + 1))]);
}
