import type { NetworkOracle } from '../network-oracle';
import type { OracleResult, Plane, TensorName } from '../oracle';
import type { FrameContent, GridContent } from './record';

/** Checks the content of a frame, for problems with one image, channel and filter. */

/** Values are float32; the terms in Explain have three digits. */
const ROUNDING = 2e-6;
const THREE_DIGITS = 6e-3;

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** "−1.2·10⁻⁵", "(3.14k)", "1e−7" */
function numberOf(text: string): number {
  const plain = text.trim().replaceAll('\u2212', '-').replaceAll(/[()]/g, '');
  const powered = plain.replace(/(·?)10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/, (_, times: string, minus: string, raised: string) => {
    const digits = Array.from(raised, (digit) => SUPERSCRIPTS.indexOf(digit)).join('');
    return `${times ? '' : '1'}e${minus ? '-' : ''}${digits}`;
  });
  const unit = { k: 1e3, M: 1e6 }[powered.at(-1) ?? ''];
  return unit ? Number(powered.slice(0, -1)) * unit : Number(powered);
}

const largest = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/**
 * Each difference between the frame and the network; empty if there is none. A frame shows all layers, or a convolution as a problem of
 * its own.
 */
export function differencesIn(seen: FrameContent, oracle: NetworkOracle): readonly string[] {
  const layers = [...oracle.layers.values()];
  // Large tensors are maps.
  if (seen.grids.every(({ label }) => !/^d?y\d$/.test(label)))
    return fewest(layers.map((layer) => layerFaults(seen, layer)));
  const grids = seen.grids.flatMap((grid) => {
    const plane = planeIn(oracle, grid.label);
    return (plane ? planeFault(grid, plane) : `there is no tensor ${grid.label}`) ?? [];
  });
  // The cell of the open layer stays explained.
  return [...grids, ...pointedFaults(seen, oracle), ...fewest(layers.map((layer) => explainFaults(seen, layer)))];
}

/** A tensor of the view Network: "y2", or weights of a layer, such as "dw1". */
function planeIn({ planes, layers }: NetworkOracle, label: string): Plane | undefined {
  const [, weights, number] = /^(d?w)(\d)$/.exec(label) ?? [];
  return weights ? layers.get(Number(number) - 1)?.plane(weights as TensorName) : planes.get(label);
}

const fewest = (faults: readonly (readonly string[])[]): readonly string[] =>
  faults.reduce((best, each) => (each.length < best.length ? each : best));

/** The value of the pointed cell, and the loss, which steps before dy do not show. */
function pointedFaults({ network: { about, loss, covered } }: FrameContent, oracle: NetworkOracle): readonly string[] {
  const faults: string[] = [];
  const [, name = '', row, col, value = ''] = /^(\w+)\[(\d+),(\d+)\] = (.*)$/.exec(about) ?? [];
  const plane = planeIn(oracle, name);
  if (plane) {
    const { rows, cols, at } = plane;
    const most = largest(Array.from({ length: rows * cols }, (_, i) => at(Math.floor(i / cols), i % cols)));
    const right = at(Number(row), Number(col));
    if (!(Math.abs(numberOf(value) - right) <= ROUNDING * most)) faults.push(`${about}, not ${right}`);
  }
  if (covered && loss === '') return faults;
  const shown = numberOf(/^L = (.*)$/.exec(loss)?.[1] ?? 'NaN');
  if (!(Math.abs(shown - oracle.loss) <= THREE_DIGITS * oracle.loss)) faults.push(`${loss}, not ${oracle.loss}`);
  return faults;
}

function layerFaults(seen: FrameContent, oracle: OracleResult): readonly string[] {
  return [
    ...seen.grids.flatMap((grid) => gridFaults(grid, oracle)),
    ...explainFaults(seen, oracle),
    ...lossFaults(seen, oracle),
    ...checkFaults(seen, oracle),
  ];
}

const isName = (label: string): label is TensorName => /^(x|w|y|dy|dx|dw|db)$/.test(label);

/** The tensors that a grid may show, by its name. Several: the name does not tell which process is partway. */
function planesOf({ label, subtitle }: GridContent, oracle: OracleResult): readonly Plane[] {
  const steps = /^(\d+) of (\d+) (?:steps|rows)$/.exec(subtitle);
  if (isName(label)) return steps ? partway(oracle, label, Number(steps[1])) : [oracle.plane(label)];
  const { problem, oh, ow, values } = oracle;
  const { kh, kw } = problem;
  const [stride] = problem.stride;
  const [p, taps] = [oh * ow, kh * kw];
  const x = padded(oracle);
  const y = oracle.plane('y');
  const dy = oracle.plane('dy');
  const x_col = (row: number, tap: number) =>
    x(Math.floor(row / ow) * stride + Math.floor(tap / kw), (row % ow) * stride + (tap % kw));
  const upsampled = { rows: (oh - 1) * stride + 1, cols: (ow - 1) * stride + 1 };
  const upsampledAt = (row: number, col: number) =>
    row % stride === 0 && col % stride === 0 && row >= 0 && col >= 0 && row < upsampled.rows && col < upsampled.cols
      ? dy.at(row / stride, col / stride)
      : 0;
  const flat = (of: Plane, at: number) => of.at(Math.floor(at / of.cols), at % of.cols);
  const dwAt = (a: number, b: number) => {
    let sum = 0;
    for (let i = 0; i < oh; i += 1)
      for (let j = 0; j < ow; j += 1) sum += dy.at(i, j) * x(a + i * stride, b + j * stride);
    return sum;
  };
  const [height, width] = [
    problem.h + problem.padding[0] + problem.padding[1],
    problem.w + problem.padding[2] + problem.padding[3],
  ];
  const uncropped = { rows: height - upsampled.rows + 1, cols: width - upsampled.cols + 1 };
  const stops = Number(steps?.[1] ?? uncropped.rows * uncropped.cols);
  const [cells, inputs] = [oh * ow, problem.h * problem.w];
  /** The weight through which a cell of y reads a cell of x; 0 also means none. */
  const entry = (row: number, col: number) => {
    const tap = Math.floor(col / problem.w) + problem.padding[0] - Math.floor(row / ow) * stride;
    const across = (col % problem.w) + problem.padding[2] - (row % ow) * stride;
    return tap >= 0 && tap < kh && across >= 0 && across < kw ? (values.w[tap * kw + across] ?? 0) : 0;
  };
  const of: Readonly<Record<string, Plane>> = {
    C: { rows: cells, cols: inputs, at: entry },
    'C transposed': { rows: inputs, cols: cells, at: (row, col) => entry(col, row) },
    'x in one row': { rows: 1, cols: inputs, at: (_row, col) => flat(oracle.plane('x'), col) },
    'y in one column': { rows: cells, cols: 1, at: (row) => flat(y, row) },
    'dy in one row': { rows: 1, cols: cells, at: (_row, col) => flat(dy, col) },
    'dx in one column': { rows: inputs, cols: 1, at: (row) => flat(oracle.plane('dx'), row) },
    x_col: { rows: p, cols: taps, at: x_col },
    dx_col: { rows: p, cols: taps, at: (row, tap) => flat(dy, row) * (values.w[tap] ?? 0) },
    dy_col: { rows: p, cols: 1, at: (row) => flat(dy, row) },
    y_col: { rows: p, cols: 1, at: (row) => flat(y, row) },
    dw_col: { rows: taps, cols: 1, at: (row) => values.dw[row] ?? 0 },
    w_col: { rows: taps, cols: 1, at: (row) => values.w[row] ?? 0 },
    w_flipped: { rows: kh, cols: kw, at: (row, col) => values.w[(kh - 1 - row) * kw + kw - 1 - col] ?? 0 },
    dy_upsampled: { ...upsampled, at: upsampledAt },
    dy_inserted: {
      rows: height + kh - 1,
      cols: width + kw - 1,
      at: (row, col) => upsampledAt(row - kh + 1, col - kw + 1),
    },
    dw_uncropped: {
      ...uncropped,
      at: (row, col) => (row * uncropped.cols + col < stops ? dwAt(row, col) : 0),
    },
    'dw of image 0': { ...uncropped, at: dwAt },
    'coverage of x': {
      rows: problem.h,
      cols: problem.w,
      at: (row, col) => readsOf(oracle, row, 'rows') * readsOf(oracle, col, 'cols'),
    },
  };
  const plain = of[label.replace(/_col transposed$/, '_col')];
  const known =
    of[label] ??
    (plain && { rows: plain.cols, cols: plain.rows, at: (row: number, col: number) => plain.at(col, row) });
  if (!known) throw new Error(`unknown grid ${label}`);
  return [known];
}

const padded = (oracle: OracleResult) => {
  const { h, w, padding } = oracle.problem;
  const x = oracle.plane('x');
  return (row: number, col: number): number => {
    const [r, c] = [row - padding[0], col - padding[2]];
    return r >= 0 && r < h && c >= 0 && c < w ? x.at(r, c) : 0;
  };
};

/** The number of windows that read a row, or a column. */
function readsOf(
  { problem: { kh, stride, padding }, oh, ow }: OracleResult,
  at: number,
  axis: 'rows' | 'cols',
): number {
  const count = axis === 'rows' ? oh : ow;
  const padded = at + (axis === 'rows' ? padding[0] : padding[2]);
  return Array.from({ length: count }, (_, i) => padded - i * stride[0]).filter((tap) => tap >= 0 && tap < kh).length;
}

/** The first cells of the result, or the sum over the first positions of y. */
function partway(oracle: OracleResult, label: TensorName, steps: number): readonly Plane[] {
  const whole = oracle.plane(label);
  const first: Plane = { ...whole, at: (row, col) => (row * whole.cols + col < steps ? whole.at(row, col) : 0) };
  if (label === 'y') return [first];
  const { problem, values } = oracle;
  const [sh, sw] = problem.stride;
  const [top, , left] = problem.padding;
  const sums = new Float64Array(whole.rows * whole.cols);
  const add = (cell: number, value: number) => {
    sums[cell] = (sums[cell] ?? 0) + value;
  };
  for (let position = 0; position < Math.min(steps, oracle.oh * oracle.ow); position += 1) {
    const dy = values.dy[position] ?? 0;
    if (label === 'db') add(0, dy);
    for (let tap = 0; tap < problem.kh * problem.kw; tap += 1) {
      const row = Math.floor(position / oracle.ow) * sh + Math.floor(tap / problem.kw) - top;
      const col = (position % oracle.ow) * sw + (tap % problem.kw) - left;
      if (row < 0 || row >= problem.h || col < 0 || col >= problem.w) continue;
      if (label === 'dx') add(row * problem.w + col, dy * (values.w[tap] ?? 0));
      if (label === 'dw') add(tap, dy * (values.x[row * problem.w + col] ?? 0));
    }
  }
  const summed: Plane = { ...whole, at: (row, col) => sums[row * whole.cols + col] ?? 0 };
  return label === 'dx' ? [first, summed] : [summed];
}

function gridFaults(grid: GridContent, oracle: OracleResult): readonly string[] {
  // Errors are not values of the problem, and those of a descent belong to its steps (tests/e2e/learn.test.ts).
  if (/^relative errors| of the descent$/.test(grid.label)) return [];
  // The terms of db may cancel: its rounding is relative to them.
  const terms = grid.label === 'db' ? Array.from(oracle.values.dy).reduce((sum, each) => sum + Math.abs(each), 0) : 0;
  const faults = planesOf(grid, oracle).map((plane) => planeFault(grid, plane, terms));
  return faults.includes(null) ? [] : faults.slice(0, 1).filter((fault) => fault !== null);
}

/** Grids that include the padding around x. */
const RINGED: readonly string[] = ['x', 'coverage of x'];

function planeFault({ label, cells }: GridContent, { rows, cols, at }: Plane, least = 0): string | null {
  const lowest = cells.reduce((least, [row]) => Math.min(least, row), 0);
  // Padding around a stage is part of it; padding around x is not.
  const ring = label === 'dy_inserted' ? -lowest : 0;
  const inside = cells.filter(([r, c]) => r + ring >= 0 && r + ring < rows && c + ring >= 0 && c + ring < cols);
  if (inside.length !== rows * cols) return `${label} has ${inside.length} cells of ${rows} x ${cols}`;
  if (!RINGED.includes(label) && cells.length !== inside.length)
    return `${label} has ${cells.length} cells, not ${inside.length}`;
  const most = inside.reduce((size, [r, c]) => Math.max(size, Math.abs(at(r + ring, c + ring))), least);
  const wrong = inside.find(([r, c, value]) => !(Math.abs(value - at(r + ring, c + ring)) <= ROUNDING * most));
  if (!wrong) return null;
  const [r, c, value] = wrong;
  return `${label}[${r},${c}] is ${value}, not ${at(r + ring, c + ring)}`;
}

/** "y[0,1]" in the problem; null if the cell does not exist. x is surrounded by its padding. */
function valueIn(oracle: OracleResult, name: string): number | null {
  const match = /^(x|w|y|dy|dx|dw|db)\[(-?\d+)(?:,(-?\d+))?\]$/.exec(name.trim().replaceAll('\u2212', '-'));
  if (!match) throw new Error(`unknown cell ${name}`);
  const [, tensor = '', first, second] = match;
  const [row, col] = second === undefined ? [0, Number(first)] : [Number(first), Number(second)];
  const { rows, cols, at } = oracle.plane(tensor as TensorName);
  if (row >= 0 && row < rows && col >= 0 && col < cols) return at(row, col);
  const { padding } = oracle.problem;
  const inPadding = row >= -padding[0] && row < rows + padding[1] && col >= -padding[2] && col < cols + padding[3];
  return tensor === 'x' && inPadding ? 0 : null;
}

function explainFaults({ title, totals, terms }: FrameContent, oracle: OracleResult): readonly string[] {
  if (title === null) return [];
  const [name = '', shown = ''] = title.split(' = ');
  const tensor = /^\w+/.exec(name)?.[0] ?? '';
  // An entry of the matrix C is a weight or 0; tests/web/page/matrix-view.test.ts checks its explanation.
  // The oracle has no uncropped dw; tests/web/page/scrubber-and-sums.test.ts checks its explanation.
  if (tensor === 'C' || tensor === 'dw_uncropped') return [];
  if (!isName(tensor)) throw new Error(`Explain has the title ${title}`);
  const most = largest(oracle.values[tensor]);
  const value = valueIn(oracle, name);
  const faults: string[] = [];
  const compare = (what: string, text: string, right: number | null, within: number) => {
    if (text === '') return;
    if (right === null || !(Math.abs(numberOf(text) - right) <= within)) faults.push(`${what}: ${text}, not ${right}`);
  };
  if (shown) compare(`Explain's ${name}`, shown, value, ROUNDING * most);
  for (const [what, text] of totals) {
    if (/^sum( of the products)?$/.test(what)) compare(what, text, value, 2 * ROUNDING * most);
    else if (/^library$|divided by/.test(what)) compare(what, text, value, ROUNDING * most);
    else if (/^y\[[\d,]*\]( − target\[[\d,]*\])?$/.test(what))
      compare(what, text, valueIn(oracle, what.split(' ')[0] ?? ''), ROUNDING * largest(oracle.values.y));
  }
  for (const [names, numbers, product] of terms) {
    const factors = names.split(' · ').filter((each) => !/pad/.test(each));
    if (numbers === 'in the padding' || factors.length === 0) continue;
    const right = factors.map((each) => valueIn(oracle, each));
    numbers.split(' · ').forEach((text, i) => {
      const factor = right[i] ?? null;
      compare(`term ${names}`, text, factor, THREE_DIGITS * Math.abs(factor ?? 0));
    });
    const multiplied = right.reduce<number>((all, each) => all * (each ?? Number.NaN), 1);
    compare(`product ${names}`, product, multiplied, THREE_DIGITS * Math.abs(multiplied) + 1e-30);
  }
  return faults;
}

function lossFaults({ loss }: FrameContent, oracle: OracleResult): readonly string[] {
  const shown = /^L = ([\d.e+]+): squared error to the target 0/.exec(loss)?.[1];
  if (shown === undefined) return [];
  const y = oracle.values.y;
  const right = Array.from(y).reduce((sum, value) => sum + value * value, 0) / (2 * y.length);
  return Math.abs(Number(shown) - right) <= 1e-5 * right ? [] : [`L: ${shown}, not ${right}`];
}

/** The table shows the result of the kernel; the badge of the broken algorithm shows x[0,0]. */
function checkFaults({ check, badge }: FrameContent, oracle: OracleResult): readonly string[] {
  const faults = check.flatMap(([what = '', text = '']) => {
    const name = /^backward pass, (.*)$/.exec(what)?.[1];
    if (!name || text === '') return [];
    const right = valueIn(oracle, name);
    const shown = numberOf(text);
    return right !== null &&
      Math.abs(shown - right) <= 1e-5 * largest(oracle.values[/^\w+/.exec(name)?.[0] as TensorName])
      ? []
      : [`${what}: ${text}, not ${right}`];
  });
  const shown = /: (.*)$/.exec(badge[1] ?? '')?.[1];
  const error = badge[0] === 'gather' ? Math.abs(oracle.plane('x').at(0, 0)) : 0;
  const within = 1e-3 * error + 1e-5 * largest(oracle.values.dx) + 1e-5 * largest(oracle.values.dw);
  if (shown !== undefined && !(Math.abs(numberOf(shown) - error) <= within)) {
    faults.push(`${badge.join(', ')}, not ${error}`);
  }
  return faults;
}
