import { OTHER_ROUNDINGS } from '../layers/view';
import { plainView } from '../layers/views';
import type { Content } from '../protocol/messages';
import { RESULTS, type ResultName, type Tensor } from '../protocol/problem';
import { type LargestSum, notFiniteNotice, sumOf, type TensorLiteral, tooMany, WOULD_REVEAL } from './check';
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
const nameAfter = (i: number): string => (i === 0 ? 'x' : `y${i}`);

export const networkSteps = (layers: readonly LayerSubject[]): readonly NetworkStep[] =>
  layers.map((layer, i): NetworkStep => {
    const [x, y] = [nameAfter(i), nameAfter(i + 1)];
    const [w, b] = [`w${i + 1}`, `b${i + 1}`];
    const names = { fn: `layer${i + 1}`, x, w, b, y, dx: `d${x}`, dw: `d${w}`, db: `d${b}`, dy: `d${y}` };
    const inputs = [x, ...(layer.plain ? [] : [w, ...(layer.bias ? [b] : [])])];
    return { layer, names, inputs, gradients: inputs.map((name) => `d${name}`) };
  });

export type NetworkShown = Pick<Content, 'network'>;

/** Its layers; null: the page shows one layer. */
export const layersOf = ({ network }: NetworkShown): readonly LayerSubject[] | null =>
  network?.layers.map(({ title, kind, fields, geometry, tensors }) => ({
    ...{ title, kind, fields, geometry },
    ...{ bias: tensors.b !== undefined, plain: plainView(kind) },
  })) ?? null;

/** |result - exact| <= bound * 2^-24 * the largest sum. */
interface NetworkResultSum extends LargestSum {
  readonly name: ResultName;
  readonly bound: number;
}

export interface NetworkCheckSubject {
  readonly steps: readonly NetworkStep[];
  /** All tensors of the page: those of all layers. */
  readonly given: readonly TensorLiteral[];
}

/** The data of a check of all layers, or a sentence if there is none. */
export function networkCheckSubject(shown: NetworkShown, hides: boolean): NetworkCheckSubject | string {
  const { network } = shown;
  const layers = layersOf(shown);
  if (!network || !layers) return 'There is no network to check.';
  if (hides) return WOULD_REVEAL;
  const steps = networkSteps(layers);
  const all = network.layers.map(({ tensors }) => tensors);
  const named: readonly (readonly [string, Tensor | undefined])[] = [
    ...[all[0]?.x, ...all.map(({ y }) => y)].map((tensor, i) => [nameAfter(i), tensor] as const),
    ...[all[0]?.dx, ...all.map(({ dy }) => dy)].map((tensor, i) => [`d${nameAfter(i)}`, tensor] as const),
    ...all.flatMap(({ w, b, dw, db }, i) =>
      Object.entries({ w, b, dw, db }).map(([name, tensor]) => [`${name}${i + 1}`, tensor] as const),
    ),
  ];
  const present = named.flatMap(([name, tensor]) => (tensor ? [{ name, ...tensor }] : []));
  const overflown = present.find(({ stats }) => stats.not_finite > 0);
  if (overflown) return notFiniteNotice(overflown.name);
  const given = present.map(({ name, shape, data }) => {
    const isBias = /^d?b\d/.test(name);
    return { name, sizes: isBias ? [data.length] : shape, data };
  });
  return tooMany(given) ?? { steps, given };
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
    return plain
      .rounding(layer)
      .map(({ of, ...result }) => ({ ...result, of: of.map((tensor) => names[tensor]), plus: null }));
  }
  return RESULTS.map((name) => {
    const { products, of, plus } = sumOf(g, name, bias);
    const factors = of.map((tensor) => names[tensor as keyof LayerNames]);
    return { name, bound: products + OTHER_ROUNDINGS, products, of: factors, plus: plus && names.b };
  });
}
