import { readLink } from '../../../../web/src/link/read-link';
import { descOn } from '../../../../web/src/protocol/layers';
import type { ConvDesc } from '../../../../web/src/protocol/problem';
import { wordOf } from '../../../../web/src/sources/loss';
import { type Problem, sizesOf } from '../../../../web/src/state/problem';
import { layerOf } from '../../../web/support/problems';
import { computeNetwork, type NetworkOracle, type OracleLayer } from '../network-oracle';
import { computeOracle, type OracleProblem, type OracleResult, type TensorName } from '../oracle';
import type { FrameContent } from './record';

/** Checks frames of any problem: whether a frame is consistent, and, once settled, whether it matches the address. */

/**
 * The subtitles of tensors that are shown complete; other grids are partway, folded differently, or wrong by design.
 */
const WHOLE =
  /^(input|kernel|bias|output|gradient of [xwyb]|.*w, stamped.*|the window .*|\d+ (stamps?|windows?) .*|the sum of dy|if there were a bias)$/;

const number = (text: string): number => Number(text.trim().replaceAll('\u2212', '-'));
const near = (a: number, b: number, size = 0): boolean =>
  Math.abs(a - b) <= 1e-3 * (1e-6 + Math.abs(a) + Math.abs(b) + size);

/** Values in one frame that show the same cell and differ. */
export function contradictions({ grids, title, totals }: FrameContent): readonly string[] {
  if (!title?.includes(' = ') || !/[\d]$/.test(title)) return [];
  const [name = '', value = ''] = title.split(' = ');
  const faults: string[] = [];
  const [, tensor, row, col] = /^(x|w|y|dy|dx|dw)\[(\d+),(\d+)\]$/.exec(name) ?? [];
  const shown = grids.find(({ label, subtitle }) => label === tensor && WHOLE.test(subtitle));
  const cell = shown?.cells.find(([r, c]) => r === Number(row) && c === Number(col));
  if (cell && !near(cell[2], number(value))) faults.push(`${name} is ${cell[2]} on the stage, ${value} in Explain`);
  const of = (what: RegExp) => totals.find(([label]) => what.test(label))?.[1];
  const [sum, result] = [of(/^sum( of the products)?$/), of(/^library$/)];
  const bias = of(/^\+ b\[/) ?? '0';
  if (sum && result && [sum, bias, result].every((text) => Number.isFinite(number(text)))) {
    const added = number(sum) + number(bias);
    if (!near(added, number(result), 1)) faults.push(`${name}: the terms are ${added}, the value is ${result}`);
  }
  return faults;
}

const TENSORS: readonly TensorName[] = ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'];

/**
 * Differences between complete tensors and the problem of the address; null if the address does not contain everything.
 */
export async function differencesFromAddress(hash: string, { grids }: FrameContent): Promise<readonly string[] | null> {
  const { problem, look, fault, missing, complaints } = await readLink(hash, true);
  if (fault || missing.length > 0 || complaints.length > 0) return null;
  const { desc, w, b, index } = layerOf(problem, look.layer);
  if (desc.n * desc.h * desc.w * desc.c * desc.k * desc.kh * desc.kw > 3e6) return null;
  // The spread of NaN and infinities depends on the algorithm.
  const inputs = [problem.x, w, b].map((tensor) => tensor?.data ?? []);
  if (!inputs.every((data) => data.every((value: number) => Number.isFinite(value)))) return null;
  const network = problem.layers.length > 1 ? networkOf(problem) : undefined;
  if (network === null) return null;
  if (network && grids.some(({ label }) => /^d?y\d$/.test(label)))
    return grids.flatMap((grid) => networkFaults(grid, network));
  const oracle = network?.layers.get(index) ?? computeOracle(posedBy(problem));
  const random = wordOf(problem.loss) === 'random';
  const hides = /(^|&)hidden=/.test(hash);
  return grids.flatMap(({ label, subtitle, cells }) => {
    const [, name, inside = ''] = /^(\w+)(?:\[([^\]]*)\])?$/.exec(label) ?? [];
    const tensor = TENSORS.find((each) => each === name);
    if (!tensor || !WHOLE.test(subtitle) || (random && tensor.startsWith('d'))) return [];
    const at = Object.fromEntries(inside.split(', ').map((part) => [part.slice(0, 1), Number(part.slice(2))]));
    // A hidden cell has no value (tests/e2e/hidden.test.ts), which is null in a recording.
    return planeFaults(oracle, tensor, at, cells, label, (value) => hides && value === null);
  });
}

/** The oracle of a network, from its problem; null if it has more than one image or channel, other pooling than square windows or other layers. */
export function networkOf(problem: Problem): NetworkOracle | null {
  const { x, layers } = problem;
  const sizes = sizesOf(problem);
  if (wordOf(problem.loss) === 'random') return null;
  const read = layers.flatMap((layer, i): readonly OracleLayer[] => {
    if (layer.kind === 'relu') return [{ kind: 'relu' }];
    if (layer.kind === 'conv') {
      const { fields, w, b } = layer;
      const desc = descOn(fields, sizes[i] ?? problem.input);
      if (desc.n * desc.c * desc.k > 1) return [];
      const { kh, kw, stride, dilation, padding } = windowOf(desc);
      return [{ ...{ kind: 'conv', kh, kw, stride, dilation, padding }, weights: w.data, bias: b?.data ?? null }];
    }
    if (layer.kind === 'conv_transpose') {
      const [{ fields, w, b }, y] = [layer, sizes[i + 1] ?? problem.input];
      if (y.n * y.c * (sizes[i]?.c ?? 1) > 1) return [];
      const { kh, kw, stride, dilation, padding } = windowOf(descOn(fields, y));
      const windows = { kh, kw, stride, dilation, padding, weights: w.data, bias: b?.data ?? null };
      return [{ ...windows, kind: 'conv_transpose', rows: y.h, cols: y.w }];
    }
    if (layer.kind !== 'max_pool' && layer.kind !== 'average_pool') return [];
    const { kh, kw, stride_h, stride_w, padding } = layer.fields;
    const isSquare = kh === kw && stride_h === stride_w && Object.values(padding).every((side) => side === 0);
    return isSquare ? [{ kind: layer.kind, size: kh, stride: stride_h }] : [];
  });
  const [rows = 1, cols = 1] = layerOf(problem).desc.layout === 'nhwc' ? x.shape.slice(1) : x.shape.slice(2);
  if (read.length < layers.length || rows * cols !== x.data.length) return null;
  return computeNetwork({ rows, cols, data: Float64Array.from(x.data) }, read, dyOf(problem));
}

/** Rounding of all layers before a cell adds up: it is relative to the largest value of any tensor. */
function networkFaults({ label, cells }: FrameContent['grids'][number], { planes }: NetworkOracle): readonly string[] {
  const plane = planes.get(label);
  if (!plane) return [];
  const sizes = [...planes.values()].flatMap(({ rows, cols, at }) =>
    Array.from({ length: rows * cols }, (_, i) => Math.abs(at(Math.floor(i / cols), i % cols))),
  );
  const within = 1e-5 * sizes.reduce((most, size) => Math.max(most, size), 0);
  const wrong = cells.find(([r, c, value]) => value !== null && !(Math.abs(value - plane.at(r, c)) <= within));
  if (cells.length !== plane.rows * plane.cols)
    return [`${label}: ${cells.length} cells, not ${plane.rows * plane.cols}`];
  return wrong ? [`${label}[${wrong[0]},${wrong[1]}] is ${wrong[2]}, not ${plane.at(wrong[0], wrong[1])}`] : [];
}

function planeFaults(
  oracle: OracleResult,
  tensor: TensorName,
  at: { n?: number; c?: number; k?: number },
  cells: FrameContent['grids'][number]['cells'],
  label: string,
  isHidden: (value: number) => boolean,
): readonly string[] {
  const plane = oracle.plane(tensor, at);
  const most = Array.from(oracle.values[tensor]).reduce((size, value) => Math.max(size, Math.abs(value)), 0);
  // Canceling terms leave rounding errors of their magnitude.
  const { x, w, dy } = oracle.values;
  const sizes = (values: ArrayLike<number>) => Array.from(values, Math.abs);
  const factor = Math.max(
    1,
    ...sizes(w),
    sizes(x).reduce((a, b) => Math.max(a, b), 0),
  );
  const summed = tensor === 'y' ? sizes(w) : sizes(dy);
  const rounding = /^(y|d)/.test(tensor) ? 1e-6 * factor * summed.reduce((a, b) => a + b, 0) : 0;
  const inside = cells.filter(([r, c]) => r >= 0 && r < plane.rows && c >= 0 && c < plane.cols);
  if (inside.length !== plane.rows * plane.cols)
    return [`${label}: ${inside.length} cells, not ${plane.rows} x ${plane.cols}`];
  const wrong = inside.find(
    ([r, c, value]) => !isHidden(value) && !(Math.abs(value - plane.at(r, c)) <= 1e-4 * most + rounding),
  );
  return wrong ? [`${label}[${wrong[0]},${wrong[1]}] is ${wrong[2]}, not ${plane.at(wrong[0], wrong[1])}`] : [];
}

/** Values of a tensor of the page as NHWC. */
function last(
  layout: ConvDesc['layout'],
  values: ArrayLike<number>,
  slices: number,
  channels: number,
): ArrayLike<number> {
  const plane = values.length / (slices * channels);
  if (layout === 'nhwc') return values;
  return Array.from(values, (_, i) => {
    const [slice, rest] = [Math.floor(i / (plane * channels)), i % (plane * channels)];
    return values[(slice * channels + (rest % channels)) * plane + Math.floor(rest / channels)] ?? 0;
  });
}

function posedBy(problem: Problem): Parameters<typeof computeOracle>[0] {
  const { x } = problem;
  const { desc, w, b } = layerOf(problem);
  const { layout, n, h, c, k, kh, kw, groups } = desc;
  const weights =
    layout === 'nhwc'
      ? w.data
      : Array.from(w.data, (_, i) => {
          const [tap, rest] = [Math.floor(i / ((c / groups) * k)), i % ((c / groups) * k)];
          return w.data[((rest % k) * (c / groups) + Math.floor(rest / k)) * kh * kw + tap] ?? 0;
        });
  return {
    ...{ n, h, w: desc.w, c, k, groups, ...windowOf(desc) },
    ...{ x: last(layout, x.data, n, c), weights, bias: b?.data ?? null, dy: dyOf(problem) },
  };
}

/** Kernel, stride, dilation and the resolved padding. */
function windowOf(desc: ConvDesc): Pick<OracleProblem, 'kh' | 'kw' | 'stride' | 'dilation' | 'padding'> {
  const { kh, kw } = desc;
  const [sh, sw, dh, dw] = [desc.stride_h, desc.stride_w, desc.dilation_h, desc.dilation_w];
  const axis = (size: number, kernel: number, dilation: number, stride: number) => {
    const reach = dilation * (kernel - 1) + 1;
    if (desc.padding_mode === 'valid') return [0, 0] as const;
    if (desc.padding_mode === 'full') return [reach - 1, reach - 1] as const;
    const all = Math.max(reach - (size % stride === 0 ? stride : size % stride), 0);
    return [Math.floor(all / 2), all - Math.floor(all / 2)] as const;
  };
  const { top, bottom, left, right } = desc.padding;
  const explicit = desc.padding_mode === 'explicit_sides';
  const rows = explicit ? ([top, bottom] as const) : axis(desc.h, kh, dh, sh);
  const cols = explicit ? ([left, right] as const) : axis(desc.w, kw, dw, sw);
  return { kh, kw, stride: [sh, sw], dilation: [dh, dw], padding: [...rows, ...cols] };
}

/** dy at the end, from the output. */
const dyOf =
  (problem: Problem) =>
  (y: Float64Array): ArrayLike<number> => {
    const { loss } = problem;
    const dy = loss.kind === 'given' ? loss.dy : loss;
    const { layout, n, k } = layerOf(problem).desc;
    const target = 'target' in dy && dy.target ? last(layout, dy.target, n, k) : null;
    if (dy.kind === 'mse') return y.map((value, i) => (value - (target?.[i] ?? 0)) / y.length);
    if (dy.kind === 'log_cosh') return y.map((value, i) => Math.tanh(value - (target?.[i] ?? 0)) / y.length);
    if (dy.kind === 'values') return last(layout, dy.data, n, k);
    if (!('index' in dy)) return y.map(() => 1);
    return last(
      layout,
      y.map((_, i) => Number(i === dy.index)),
      n,
      k,
    );
  };
