import { OTHER_ROUNDINGS } from '../layers/view';
import { plainView } from '../layers/views';
import type { LossKind } from '../losses/list';
import { numberOf, sizesOfShape } from '../protocol/layers';
import type { Content } from '../protocol/messages';
import { RESULTS, type ResultName, type Shape, type Tensor } from '../protocol/problem';
import {
  type LargestSum,
  type LossCheck,
  lossCheck,
  notFiniteNotice,
  sumOf,
  type TensorLiteral,
  tooMany,
  WOULD_REVEAL,
} from './check';
import type { LayerSubject } from './snippet';

/** All layers of a network as code, with the names of the view Network: y2 is the output of layer 2, dy2 its gradient. */

/** The names of a layer's function and tensors. */
type LayerNames = Readonly<Record<'fn' | 'x' | 'w' | 'b' | 'y' | 'dx' | 'dw' | 'db' | 'dy', string>>;

export interface NetworkStep {
  readonly layer: LayerSubject;
  readonly names: LayerNames;
  /** x, w, b. */
  readonly inputs: readonly string[];
  /** Their gradients. */
  readonly gradients: readonly string[];
}

/** "x", "y1", "y2": the tensor after `i` layers. */
const nameAfter = (layers: readonly unknown[], i: number): string => (i === 0 ? 'x' : `y${numberOf(layers, i - 1)}`);

export const networkSteps = (layers: readonly LayerSubject[]): readonly NetworkStep[] =>
  layers.map((layer, i): NetworkStep => {
    const [x, y] = [nameAfter(layers, i), nameAfter(layers, i + 1)];
    const number = numberOf(layers, i);
    const [w, b] = [`w${number}`, `b${number}`];
    const names = { fn: `layer${i + 1}`, x, w, b, y, dx: `d${x}`, dw: `d${w}`, db: `d${b}`, dy: `d${y}` };
    const inputs = [x, ...(layer.hasWeights ? [w, ...(layer.bias ? [b] : [])] : [])];
    return { layer, names, inputs, gradients: inputs.map((name) => `d${name}`) };
  });

const NO_SHAPE: Shape = [0, 0, 0, 0];

/** The loss that computes dy of a layer; undefined: it is given, or another layer computes it. */
export const endLossOf = ({ loss }: Pick<Content, 'loss'>): LossKind | undefined => loss?.kind as LossKind | undefined;

export const layersOf = ({ layers }: Pick<Content, 'layers'>): readonly LayerSubject[] =>
  layers.map(({ title, kind, fields, geometry, tensors, loss }) => ({
    ...{ title, kind, fields, geometry },
    ...{ bias: tensors.b !== undefined, hasWeights: tensors.w !== undefined, plain: plainView(kind) },
    input: sizesOfShape(geometry.layout, tensors.x?.shape ?? NO_SHAPE),
    channels: sizesOfShape(geometry.layout, tensors.y?.shape ?? NO_SHAPE).c,
    loss: endLossOf({ loss }),
  }));

/** |result - exact| <= bound * 2^-24 * the largest sum. */
interface NetworkResultSum extends LargestSum {
  readonly name: ResultName;
  readonly bound: number;
}

export interface NetworkCheckSubject {
  readonly steps: readonly NetworkStep[];
  /** All tensors of the page: those of all layers. */
  readonly given: readonly TensorLiteral[];
  readonly ofLoss: LossCheck | null;
}

/** The data of a check of all layers, or a sentence if there is none. */
export function networkCheckSubject(shown: Pick<Content, 'layers'>, hides: boolean): NetworkCheckSubject | string {
  if (hides) return WOULD_REVEAL;
  const { layers } = shown;
  const steps = networkSteps(layersOf(shown));
  const all = layers.map(({ tensors }) => tensors);
  const named: readonly (readonly [string, Tensor | undefined])[] = [
    ...[all[0]?.x, ...all.map(({ y }) => y)].map((tensor, i) => [nameAfter(layers, i), tensor] as const),
    ...[all[0]?.dx, ...all.map(({ dy }) => dy)].map((tensor, i) => [`d${nameAfter(layers, i)}`, tensor] as const),
    ...all.flatMap(({ w, b, dw, db }, i) =>
      Object.entries({ w, b, dw, db }).map(([name, tensor]) => [name + numberOf(layers, i), tensor] as const),
    ),
  ];
  const present = named.flatMap(([name, tensor]) => (tensor ? [{ name, ...tensor }] : []));
  const overflown = present.find(({ stats }) => stats.not_finite > 0);
  if (overflown) return notFiniteNotice(overflown.name);
  const given = present.map(({ name, shape, data }) => {
    const isBias = /^d?b/.test(name);
    return { name, sizes: isBias ? [data.length] : shape, data };
  });
  const last = layers.at(-1);
  const { y, dy } = last?.tensors ?? {};
  if (last?.loss && !Number.isFinite(last.loss.value)) return notFiniteNotice('The loss');
  const ofLoss = last && y && dy ? lossCheck(last.loss, last.geometry, y.shape) : null;
  return tooMany([...given, ...(ofLoss?.given ?? [])]) ?? { steps, given, ofLoss };
}

/** Explains the check and its tolerances, as lines of a comment. */
export const LAYER_BY_LAYER: readonly string[] = [
  'Each layer runs alone, with the x and dy that it has on the page: rounding before a ReLU or a maximum could choose',
  'another cell. The exact result of a layer differs from that of the page by at most bound * 2^-24 times the largest sum',
  'that values of this size can give. Storing as float32 adds 2^-24. ReLU and the maximum are exact.',
];

/** The results of a layer and how far rounding can carry them. The convolutions of a network add products in some order. */
export function sumsOf({ layer, names }: NetworkStep): readonly NetworkResultSum[] {
  const { plain, geometry: g, bias } = layer;
  if (plain) {
    return plain.rounding(layer).map(({ of, plus, ...result }) => ({
      ...result,
      of: of.map((tensor) => names[tensor]),
      plus: plus ? names[plus] : null,
    }));
  }
  return RESULTS.map((name) => {
    const { products, of, plus } = sumOf(g, name, bias);
    const factors = of.map((tensor) => names[tensor as keyof LayerNames]);
    return { name, bound: products + OTHER_ROUNDINGS, products, of: factors, plus: plus && names.b };
  });
}
