import { readLink } from '../../../../web/src/link/read-link';
import type { Problem } from '../../../../web/src/state/problem';
import { computeOracle, type OracleResult, type TensorName } from '../oracle';
import type { FrameContent } from './record';

/** Checks frames of any problem: whether a frame is consistent, and, once settled, whether it matches the address. */

/**
 * The subtitles of tensors that are shown complete; other grids are partway, folded differently, or wrong by design.
 */
const WHOLE = /^(input|kernel|bias|output|gradient of [xwyb])$/;

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
  const [sum, result] = [of(/^sum( of the products)?$/), of(/ computed by /)];
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
  const { problem, fault, missing, complaints } = await readLink(hash, true);
  if (fault || missing.length > 0 || complaints.length > 0) return null;
  const { desc } = problem;
  if (desc.n * desc.h * desc.w * desc.c * desc.k * desc.kh * desc.kw > 3e6) return null;
  // The spread of NaN and infinities depends on the algorithm.
  const inputs = [problem.x, problem.w, problem.b].map((tensor) => tensor?.data ?? []);
  if (!inputs.every((data) => data.every((value: number) => Number.isFinite(value)))) return null;
  const oracle = computeOracle(posedBy(problem));
  const random = problem.dy.kind === 'random';
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

function posedBy({ desc, x, w, b, dy }: Problem): Parameters<typeof computeOracle>[0] {
  const { n, h, c, k, kh, kw, groups } = desc;
  const nhwc = desc.layout === 'nhwc';
  const last = (values: ArrayLike<number>, slices: number, channels: number) => {
    const plane = values.length / (slices * channels);
    if (nhwc) return values;
    return Array.from(values, (_, i) => {
      const [slice, rest] = [Math.floor(i / (plane * channels)), i % (plane * channels)];
      return values[(slice * channels + (rest % channels)) * plane + Math.floor(rest / channels)] ?? 0;
    });
  };
  const weights = nhwc
    ? w.data
    : Array.from(w.data, (_, i) => {
        const [tap, rest] = [Math.floor(i / ((c / groups) * k)), i % ((c / groups) * k)];
        return w.data[((rest % k) * (c / groups) + Math.floor(rest / k)) * kh * kw + tap] ?? 0;
      });
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
  return {
    ...{ n, h, w: desc.w, c, k, kh, kw, groups, stride: [sh, sw], dilation: [dh, dw] },
    padding: [...rows, ...cols],
    x: last(x.data, n, c),
    weights,
    bias: b?.data ?? null,
    dy(y) {
      const target = 'target' in dy && dy.target ? last(dy.target, n, k) : null;
      if (dy.kind === 'mse') return y.map((value, i) => (value - (target?.[i] ?? 0)) / y.length);
      if (dy.kind === 'log_cosh') return y.map((value, i) => Math.tanh(value - (target?.[i] ?? 0)) / y.length);
      if (dy.kind === 'values') return last(dy.data, n, k);
      const hot =
        'index' in dy
          ? last(
              y.map((_, i) => Number(i === dy.index)),
              n,
              k,
            )
          : null;
      return hot ?? y.map(() => 1);
    },
  };
}
