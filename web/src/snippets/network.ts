import type { Content } from '../protocol/messages';
import { type LayerOf, layerTitle } from '../protocol/network';
import { RESULTS, type ResultName, type Tensor } from '../protocol/problem';
import { type LargestSum, notFinite, sumOf, type TensorLiteral, tooMany, WOULD_REVEAL } from './check';
import type { LayerSubject } from './snippet';

/** All layers of a network as code, with the names of the view Network: y2 is the output of layer 2, dy2 its gradient. */

/** The names of a layer's function and tensors. */
type LayerNames = Readonly<Record<'fn' | 'x' | 'w' | 'b' | 'y' | 'dx' | 'dw' | 'db' | 'dy', string>>;

export interface Step {
  readonly layer: LayerSubject;
  readonly names: LayerNames;
  /** x, w, b. */
  readonly inputs: readonly string[];
  /** Their gradients. */
  readonly gradients: readonly string[];
}

/** "x", "y1", "y2": the tensor after `i` layers. */
const nameAfter = (i: number): string => (i === 0 ? 'x' : `y${i}`);

export const stepsOf = (layers: readonly LayerSubject[]): readonly Step[] =>
  layers.map((layer, i): Step => {
    const [x, y] = [nameAfter(i), nameAfter(i + 1)];
    const [w, b] = [`w${i + 1}`, `b${i + 1}`];
    const names = { fn: `layer${i + 1}`, x, w, b, y, dx: `d${x}`, dw: `d${w}`, db: `d${b}`, dy: `d${y}` };
    const inputs = [x, ...(layer.kind === 'conv' ? [w, ...(layer.bias ? [b] : [])] : [])];
    return { layer, names, inputs, gradients: inputs.map((name) => `d${name}`) };
  });

/** The network on the page, with the descriptor of its open layer. */
export type NetworkShown = Pick<Content, 'desc' | 'network'>;

/** Its layers; null: the page shows one layer. */
export function layersOf({ desc, network }: NetworkShown): readonly LayerSubject[] | null {
  if (!network) return null;
  const open: LayerOf<unknown> = { kind: 'conv', desc, w: null, b: null };
  const kinds = [...network.before, open, ...network.after];
  return network.layers.flatMap(({ geometry, b, count_include_pad = true }, i): readonly LayerSubject[] => {
    const layer = kinds[i];
    if (!layer) return [];
    const title = layerTitle(layer);
    if (layer.kind === 'conv') return [{ title, kind: 'conv', geometry, bias: b !== undefined }];
    return [{ title, kind: layer.kind, geometry, count_include_pad }];
  });
}

/** |result - exact| <= bound * 2^-24 * the largest sum. */
interface NetworkResultSum extends LargestSum {
  readonly name: ResultName;
  readonly bound: number;
}

export interface NetworkCheckSubject {
  readonly steps: readonly Step[];
  /** All tensors of the page: those of all layers. */
  readonly given: readonly TensorLiteral[];
}

/** The data of a check of all layers, or a sentence if there is none. */
export function networkCheckSubject(shown: NetworkShown, hides: boolean): NetworkCheckSubject | string {
  const { network } = shown;
  const layers = layersOf(shown);
  if (!network || !layers) return 'There is no network to check.';
  if (hides) return WOULD_REVEAL;
  const steps = stepsOf(layers);
  const { values, gradients } = network;
  const named: readonly (readonly [string, Tensor | undefined])[] = [
    ...values.map((tensor, i) => [nameAfter(i), tensor] as const),
    ...gradients.map((tensor, i) => [`d${nameAfter(i)}`, tensor] as const),
    ...network.layers.flatMap(({ w, b, dw, db }, i) =>
      Object.entries({ w, b, dw, db }).map(([name, tensor]) => [`${name}${i + 1}`, tensor] as const),
    ),
  ];
  const present = named.flatMap(([name, tensor]) => (tensor ? [{ name, ...tensor }] : []));
  const overflown = present.find(({ stats }) => stats.not_finite > 0);
  if (overflown) return notFinite(overflown.name);
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

/** Roundings besides those of the sum: the bias, the quotient of a mean, and the last result. */
const OTHER_ROUNDINGS = 3;

/** The results of a layer and how far rounding can carry them. The convolutions of a network add products in some order. */
export function sumsOf({ layer, names }: Step): readonly NetworkResultSum[] {
  const { geometry: g } = layer;
  const exact = (name: ResultName): NetworkResultSum => ({ name, bound: 0, products: 0, of: [], plus: null });
  if (layer.kind === 'relu') return [exact('y'), exact('dx')];
  if (layer.kind === 'conv') {
    return RESULTS.map((name) => {
      const { products, of, plus } = sumOf(g, name, layer.bias);
      const factors = of.map((tensor) => names[tensor as keyof LayerNames]);
      return { name, bound: products + OTHER_ROUNDINGS, products, of: factors, plus: plus && names.b };
    });
  }
  const windows = Math.ceil(g.kh / g.stride_h) * Math.ceil(g.kw / g.stride_w);
  const bound = windows + OTHER_ROUNDINGS;
  if (layer.kind === 'max_pool')
    return [exact('y'), { name: 'dx', bound, products: windows, of: [names.dy], plus: null }];
  // Each window gives dy divided by its number of cells.
  const products = layer.count_include_pad ? Math.ceil(windows / (g.kh * g.kw)) : windows;
  return [
    { name: 'y', bound: g.kh * g.kw + OTHER_ROUNDINGS, products: 1, of: [names.x], plus: null },
    { name: 'dx', bound, products, of: [names.dy], plus: null },
  ];
}
