import { computeNetwork, type NetworkOracle, type OracleLayer } from '../network-oracle';
import type { Random } from '../random';

/** Problems of one or several layers for tests of frames. Their values identify them. */

/** x and weights follow rules with one number each, so that every problem has different values. */
export interface Problem {
  readonly h: number;
  readonly w: number;
  readonly x: Rule;
  readonly layers: readonly Layer[];
  /** Index of the convolution that the other views show. */
  readonly open: number;
}
export type Rule = readonly ['ramp' | 'countdown' | 'constant', number];
type Layer = Exclude<OracleLayer, { readonly kind: 'conv' | 'conv_transpose' }> | Conv;
export interface Conv {
  readonly kind: 'conv';
  readonly kernel: number;
  readonly stride: number;
  readonly padding: number;
  readonly weights: Rule;
}

const valuesOf = ([kind, from]: Rule, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => from + { ramp: i, countdown: -i, constant: 0 }[kind]);

const oracleLayer = (layer: Layer): OracleLayer => {
  if (layer.kind !== 'conv') return layer;
  const { kernel, stride, padding, weights } = layer;
  return {
    ...{ kind: 'conv', kh: kernel, kw: kernel, weights: valuesOf(weights, kernel * kernel) },
    ...{ stride: [stride, stride], padding: [padding, padding, padding, padding], dilation: [1, 1], bias: null },
  };
};

export const truthFor = ({ h, w, x, layers }: Problem): NetworkOracle =>
  computeNetwork({ rows: h, cols: w, data: Float64Array.from(valuesOf(x, h * w)) }, layers.map(oracleLayer));

export function linkTo({ h, w, x, layers, open }: Problem, way: string, cell: string): string {
  const fields = layers.map((layer, i): string => {
    if (layer.kind === 'relu') return `layer.${i + 1}=relu`;
    if (layer.kind !== 'conv') return `layer.${i + 1}=${layer.kind};kernel:${layer.size};stride:${layer.stride}`;
    const { kernel, stride, padding, weights } = layer;
    const own = { kh: kernel, kw: kernel, stride, padding, weights: weights.join(':') };
    if (i === open)
      return Object.entries(own)
        .map((field) => field.join('='))
        .join('&');
    return `layer.${i + 1}=conv;${Object.entries(own)
      .map((field) => field.join(':'))
      .join(';')}`;
  });
  return `h=${h}&w=${w}&x=${x.join(':')}&${fields.join('&')}&dy=mse:0&${way}${cell}`;
}

export type Layers = (random: Random, count: number) => Omit<Problem, 'x'>;

export const oneLayer: Layers = ({ below, one }, count) => ({
  ...{ h: 5 + below(4), w: 5 + below(3), open: 0 },
  layers: [
    {
      ...{ kind: 'conv', kernel: 3, stride: 1 + below(2), padding: below(2) },
      weights: [one(['ramp', 'countdown']), 5 * count + 2],
    },
  ],
});

/** Two convolutions with other layers between, before or behind them. */
export const network: Layers = ({ below, one }, count) => {
  const conv = (kernel: number): Conv => ({
    ...{ kind: 'conv', kernel, stride: 1, padding: below(2) },
    weights: one([
      ['ramp', (count % 3) - kernel],
      ['countdown', kernel + (count % 3)],
    ]),
  });
  const pool = { kind: one(['max_pool', 'average_pool'] as const), size: 2, stride: 1 + below(2) };
  const relu = { kind: 'relu' } as const;
  const [first, second] = [conv(3), conv(2)];
  const layers = one<readonly Layer[]>([
    [first, second],
    [first, relu, pool, second],
    [first, pool, second, relu],
    [relu, second, pool, first],
  ]);
  const convolutions = layers.flatMap(({ kind }, i) => (kind === 'conv' ? [i] : []));
  return { h: 9 + below(3), w: 9 + below(3), layers, open: one(convolutions) };
};
