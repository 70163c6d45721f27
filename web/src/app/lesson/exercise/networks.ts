import '../../../link/network-fields';
import { withMinus } from '../../../geometry/labels';
import { linesRead } from '../../../geometry/reach';
import { LAYERS, type LayerKind, layerTitle, windowOf } from '../../../layers/list';
import type { NamedTerm } from '../../../layers/view';
import { layerView } from '../../../layers/views';
import type { ReachName } from '../../../lessons/exercises';
import { ownerOf } from '../../../protocol/layers';
import type { NetworkTensor } from '../../../protocol/problem';
import { type Problem, sizesOf } from '../../../state/problem';
import { type AskedCell, judgedAs } from '../predict/predictor';
import {
  axesOf,
  type CountTask,
  type LayerAxis,
  outputs,
  paddingText,
  productsAlong,
  size,
  withMistakes,
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
  /** Of a convolution: kernel rows, kernel columns. */
  readonly weights: Float32Array | null;
}

function layersOf(problem: Problem): readonly Layer[] {
  const sizes = sizesOf(problem);
  return problem.layers.map((layer, i) => {
    const input = sizes[i] ?? problem.input;
    const weights = layer.kind === 'conv' ? layer.w.data : null;
    return { title: layerTitle(layer), kind: layer.kind, weights, ...axesOf(windowOf(layer, input)) };
  });
}

/** "Layer 2: max pooling 3 × 3, stride 2." */
function sentenceOf({ title, kind, rows, cols }: Layer, number: number): string {
  if (LAYERS[kind].pointwise) return `Layer ${number}: ${title}.`;
  const padding = { top: rows.before, bottom: rows.after, left: cols.before, right: cols.after };
  const stride = rows.stride === cols.stride ? rows.stride : size(rows.stride, cols.stride);
  return `Layer ${number}: ${title}, stride ${stride}, padding ${paddingText(padding)}.`;
}

/** "w2, row by row: 1, 2; 3, 4." */
function weightsText(weights: Float32Array, columns: number, number: number): string {
  const texts = Array.from(weights, withMinus);
  const rows = Array.from({ length: texts.length / columns }, (_, row) =>
    texts.slice(row * columns, (row + 1) * columns).join(', '),
  );
  return `w${number}, row by row: ${rows.join('; ')}.`;
}

const at = (row: number, col: number): string => `[${row},${col}]`;

/**
 * A cell of y1, dy1, … or dx. Its number of terms is within `range`; below it only where no cell of the tensor has more. null: there is
 * none, draw again.
 */
export function drawnCell(
  tensor: string,
  problem: Problem,
  dice: Dice,
  [fewest, most]: readonly [number, number],
): NetworkCell | null {
  const layers = layersOf(problem);
  const owner = ownerOf(tensor, layers.length);
  const layer = owner && layers[owner.layer];
  if (!layer || owner.tensor === 'dy') return null;
  const made = owner.tensor;
  const isOutput = made === 'y';
  const sizeOf = (axis: LayerAxis) => (isOutput ? outputs(axis) : axis.input);
  const number = owner.layer + 1;
  const input = number === 1 ? 'x' : `y${number - 1}`;
  const source = isOutput ? input : `dy${number}`;
  const end = isOutput ? 'input' : 'output';
  const termsOf = (row: number, col: number): readonly NamedTerm[] =>
    productsAlong(made, layer.rows, row).flatMap((r) =>
      productsAlong(made, layer.cols, col).map((c) => ({
        cell: source + at(r[end], c[end]),
        weight: `w${number}${at(r.tap, c.tap)}`,
      })),
    );
  const [rows, cols] = [sizeOf(layer.rows), sizeOf(layer.cols)];
  const index = dice(rows * cols);
  const [row, col] = [Math.floor(index / cols), index % cols];
  const terms = termsOf(row, col);
  const counts = Array.from({ length: rows * cols }, (_, i) => termsOf(Math.floor(i / cols), i % cols).length);
  if (terms.length === 0 || terms.length > most || terms.length < Math.min(fewest, Math.max(...counts))) return null;
  return {
    cell: { tensor: tensor as NetworkTensor, index },
    name: tensor + at(row, col),
    layer: [
      sentenceOf(layer, number),
      ...(layer.weights ? [weightsText(layer.weights, layer.cols.kernel, number)] : []),
    ],
    judged: { layer: owner.layer, pass: judgedAs(made) },
    formula: `${tensor}${at(row, col)} ${layerView(layer.kind).exercise[made](terms, input + at(row, col), layer.rows.kernel * layer.cols.kernel)}`,
  };
}

/** The rows or columns of x that one cell of the output depends on. Without padding, all cells of the output have as many. */
export function reachCount(asked: ReachName, problem: Problem): CountTask {
  const layers = layersOf(problem);
  const axes = layers.map(({ rows, cols }) => (asked === 'rows of x' ? rows : cols));
  const lines = asked === 'rows of x' ? 'rows' : 'columns';
  const count = (of: readonly LayerAxis[]) =>
    of.reduceRight<readonly number[]>((read, axis) => linesRead(axis, read), [0]).length;
  const kernels = axes.map(({ kernel }) => kernel);
  const right = count(axes);
  // (kernel − 1) times the strides up to and including its own layer.
  let strides = 1;
  const ownStrides = axes.reduce((sum, { kernel, stride }) => {
    strides *= stride;
    return sum + (kernel - 1) * strides;
  }, 1);
  const [first] = layers;
  const x = first ? [`x has ${size(first.rows.input, first.cols.input)} cells.`] : [];
  return withMistakes(
    {
      title: `How many ${lines} of x does one cell of y${layers.length} depend on?`,
      right,
      hints: [
        `Begin at the end: how many ${lines} of y${layers.length - 1} does the cell read? Then go back layer by layer.`,
        `n ${lines} of the output of a layer read (n − 1) · stride + kernel ${lines} of its input. Begin with n = 1 at layer ${layers.length}.`,
      ],
      mistakes: [
        [
          count(axes.map((axis) => ({ ...axis, stride: 1 }))),
          'Strides forgotten',
          'After a layer with stride 2, neighbors are two cells apart in its input.',
          axes.slice(0, -1).some(({ stride }) => stride > 1),
        ],
        [
          ownStrides,
          'Stride of the same layer',
          'A stride counts for the layers after it, not for its own kernel.',
          axes.some(({ stride }) => stride > 1),
        ],
        [
          kernels.reduce((sum, kernel) => sum + kernel, 0),
          'Kernels added',
          'Neighboring windows overlap: each layer adds its kernel minus one, times the strides before it.',
          true,
        ],
        [
          kernels.reduce((product, kernel) => product * kernel, 1),
          'Kernels multiplied',
          'Neighboring windows overlap.',
          true,
        ],
        [kernels.at(-1) ?? 0, 'The last layer alone', 'The cells that it reads depend on more cells of x.', true],
        [kernels[0] ?? 0, 'The first layer alone', 'That is what one cell of y1 reads.', true],
        [right - 1, 'The 1 forgotten', 'The cell itself counts: begin with 1.', true],
      ],
    },
    [...x, ...layers.map((layer, i) => sentenceOf(layer, i + 1))],
  );
}
