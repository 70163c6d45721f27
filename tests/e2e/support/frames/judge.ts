import type { Plane, Truth, TruthName } from '../oracle';
import type { Seen, SeenGrid } from './record';

/** Judges what a frame shows of a problem with one image, channel and filter. */

/** Values are float32; figures of Explain's terms have three digits. */
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

/** Each reason why the frame does not show the problem; none: it does. */
export function faultsOf(seen: Seen, truth: Truth): readonly string[] {
  return [
    ...seen.grids.flatMap((grid) => gridFaults(grid, truth)),
    ...explainFaults(seen, truth),
    ...lossFaults(seen, truth),
    ...checkFaults(seen, truth),
  ];
}

const isName = (label: string): label is TruthName => /^(x|w|y|dy|dx|dw|db)$/.test(label);

/** What a grid may show, by its name. More than one: which process is stopped on its way, the name does not tell. */
function planesOf({ label, subtitle }: SeenGrid, truth: Truth): readonly Plane[] {
  const steps = /^(\d+) of (\d+) (?:steps|stops|rows)$/.exec(subtitle);
  if (isName(label)) return steps ? partway(truth, label, Number(steps[1])) : [truth.plane(label)];
  const { posed, oh, ow, values } = truth;
  const { kh, kw } = posed;
  const [stride] = posed.stride;
  const [p, taps] = [oh * ow, kh * kw];
  const x = padded(truth);
  const y = truth.plane('y');
  const dy = truth.plane('dy');
  const x_col = (row: number, tap: number) =>
    x(Math.floor(row / ow) * stride + Math.floor(tap / kw), (row % ow) * stride + (tap % kw));
  const spread = { rows: (oh - 1) * stride + 1, cols: (ow - 1) * stride + 1 };
  const spreadAt = (row: number, col: number) =>
    row % stride === 0 && col % stride === 0 && row >= 0 && col >= 0 && row < spread.rows && col < spread.cols
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
    posed.h + posed.padding[0] + posed.padding[1],
    posed.w + posed.padding[2] + posed.padding[3],
  ];
  const uncropped = { rows: height - spread.rows + 1, cols: width - spread.cols + 1 };
  const stops = Number(steps?.[1] ?? uncropped.rows * uncropped.cols);
  const [cells, inputs] = [oh * ow, posed.h * posed.w];
  /** The weight through which a cell of y reads a cell of x; 0 stands for nothing, too. */
  const entry = (row: number, col: number) => {
    const tap = Math.floor(col / posed.w) + posed.padding[0] - Math.floor(row / ow) * stride;
    const across = (col % posed.w) + posed.padding[2] - (row % ow) * stride;
    return tap >= 0 && tap < kh && across >= 0 && across < kw ? (values.w[tap * kw + across] ?? 0) : 0;
  };
  const of: Readonly<Record<string, Plane>> = {
    C: { rows: cells, cols: inputs, at: entry },
    'C transposed': { rows: inputs, cols: cells, at: (row, col) => entry(col, row) },
    'x in one row': { rows: 1, cols: inputs, at: (_row, col) => flat(truth.plane('x'), col) },
    'y in one column': { rows: cells, cols: 1, at: (row) => flat(y, row) },
    'dy in one row': { rows: 1, cols: cells, at: (_row, col) => flat(dy, col) },
    'dx in one column': { rows: inputs, cols: 1, at: (row) => flat(truth.plane('dx'), row) },
    x_col: { rows: p, cols: taps, at: x_col },
    'x_col transposed': { rows: taps, cols: p, at: (row, col) => x_col(col, row) },
    dx_col: { rows: p, cols: taps, at: (row, tap) => flat(dy, row) * (values.w[tap] ?? 0) },
    'dy_col transposed': { rows: 1, cols: p, at: (_row, col) => flat(dy, col) },
    y_col: { rows: p, cols: 1, at: (row) => flat(y, row) },
    dw_col: { rows: taps, cols: 1, at: (row) => values.dw[row] ?? 0 },
    w_col: { rows: taps, cols: 1, at: (row) => values.w[row] ?? 0 },
    w_turned: { rows: kh, cols: kw, at: (row, col) => values.w[(kh - 1 - row) * kw + kw - 1 - col] ?? 0 },
    dy_spread: { ...spread, at: spreadAt },
    dy_inserted: {
      rows: height + kh - 1,
      cols: width + kw - 1,
      at: (row, col) => spreadAt(row - kh + 1, col - kw + 1),
    },
    dw_uncropped: {
      ...uncropped,
      at: (row, col) => (row * uncropped.cols + col < stops ? dwAt(row, col) : 0),
    },
    'dw of image 0': { ...uncropped, at: dwAt },
    'coverage of x': {
      rows: posed.h,
      cols: posed.w,
      at: (row, col) => readsOf(truth, row, 'rows') * readsOf(truth, col, 'cols'),
    },
  };
  const known = of[label];
  if (!known) throw new Error(`nobody knows what the grid ${label} shows`);
  return [known];
}

const padded = (truth: Truth) => {
  const { h, w, padding } = truth.posed;
  const x = truth.plane('x');
  return (row: number, col: number): number => {
    const [r, c] = [row - padding[0], col - padding[2]];
    return r >= 0 && r < h && c >= 0 && c < w ? x.at(r, c) : 0;
  };
};

/** How many windows read a row, or a column. */
function readsOf({ posed: { kh, stride, padding }, oh, ow }: Truth, at: number, axis: 'rows' | 'cols'): number {
  const count = axis === 'rows' ? oh : ow;
  const place = at + (axis === 'rows' ? padding[0] : padding[2]);
  return Array.from({ length: count }, (_, i) => place - i * stride[0]).filter((tap) => tap >= 0 && tap < kh).length;
}

/** The first cells of the result, or the sum over the first positions of y. */
function partway(truth: Truth, label: TruthName, steps: number): readonly Plane[] {
  const whole = truth.plane(label);
  const first: Plane = { ...whole, at: (row, col) => (row * whole.cols + col < steps ? whole.at(row, col) : 0) };
  if (label === 'y') return [first];
  const { posed, values } = truth;
  const [sh, sw] = posed.stride;
  const [top, , left] = posed.padding;
  const sums = new Float64Array(whole.rows * whole.cols);
  const add = (cell: number, value: number) => {
    sums[cell] = (sums[cell] ?? 0) + value;
  };
  for (let position = 0; position < Math.min(steps, truth.oh * truth.ow); position += 1) {
    const dy = values.dy[position] ?? 0;
    if (label === 'db') add(0, dy);
    for (let tap = 0; tap < posed.kh * posed.kw; tap += 1) {
      const row = Math.floor(position / truth.ow) * sh + Math.floor(tap / posed.kw) - top;
      const col = (position % truth.ow) * sw + (tap % posed.kw) - left;
      if (row < 0 || row >= posed.h || col < 0 || col >= posed.w) continue;
      if (label === 'dx') add(row * posed.w + col, dy * (values.w[tap] ?? 0));
      if (label === 'dw') add(tap, dy * (values.x[row * posed.w + col] ?? 0));
    }
  }
  const summed: Plane = { ...whole, at: (row, col) => sums[row * whole.cols + col] ?? 0 };
  return label === 'dx' ? [first, summed] : [summed];
}

function gridFaults(grid: SeenGrid, truth: Truth): readonly string[] {
  // Errors are no numbers of the problem, and those of a descent are of its steps (tests/e2e/learn.test.ts).
  if (/^relative errors| of the descent$/.test(grid.label)) return [];
  const faults = planesOf(grid, truth).map((plane) => planeFault(grid, plane));
  return faults.includes(null) ? [] : faults.slice(0, 1).filter((fault) => fault !== null);
}

/** The padding stands around them. */
const RINGED: readonly string[] = ['x', 'coverage of x'];

function planeFault({ label, cells }: SeenGrid, { rows, cols, at }: Plane): string | null {
  const lowest = cells.reduce((least, [row]) => Math.min(least, row), 0);
  // What surrounds a stage is part of it; what surrounds x is not.
  const ring = label === 'dy_inserted' ? -lowest : 0;
  const inside = cells.filter(([r, c]) => r + ring >= 0 && r + ring < rows && c + ring >= 0 && c + ring < cols);
  if (inside.length !== rows * cols) return `${label} has ${inside.length} cells of ${rows} x ${cols}`;
  if (!RINGED.includes(label) && cells.length !== inside.length)
    return `${label} has ${cells.length} cells, not ${inside.length}`;
  const most = inside.reduce((size, [r, c]) => Math.max(size, Math.abs(at(r + ring, c + ring))), 0);
  const wrong = inside.find(([r, c, value]) => !(Math.abs(value - at(r + ring, c + ring)) <= ROUNDING * most));
  if (!wrong) return null;
  const [r, c, value] = wrong;
  return `${label}[${r},${c}] is ${value}, not ${at(r + ring, c + ring)}`;
}

/** "y[0,1]" in the problem; null where it has no such cell. Around x is its padding. */
function valueIn(truth: Truth, name: string): number | null {
  const match = /^(x|w|y|dy|dx|dw|db)\[(-?\d+)(?:,(-?\d+))?\]$/.exec(name.trim().replaceAll('\u2212', '-'));
  if (!match) throw new Error(`nobody knows the cell ${name}`);
  const [, tensor = '', first, second] = match;
  const [row, col] = second === undefined ? [0, Number(first)] : [Number(first), Number(second)];
  const { rows, cols, at } = truth.plane(tensor as TruthName);
  if (row >= 0 && row < rows && col >= 0 && col < cols) return at(row, col);
  const { padding } = truth.posed;
  const inPadding = row >= -padding[0] && row < rows + padding[1] && col >= -padding[2] && col < cols + padding[3];
  return tensor === 'x' && inPadding ? 0 : null;
}

function explainFaults({ title, totals, terms }: Seen, truth: Truth): readonly string[] {
  if (title === null) return [];
  const [name = '', shown = ''] = title.split(' = ');
  const tensor = /^\w+/.exec(name)?.[0] as TruthName;
  const most = largest(truth.values[tensor]);
  const value = valueIn(truth, name);
  const faults: string[] = [];
  const compare = (what: string, text: string, right: number | null, within: number) => {
    if (text === '') return;
    if (right === null || !(Math.abs(numberOf(text) - right) <= within)) faults.push(`${what}: ${text}, not ${right}`);
  };
  if (shown) compare(`Explain's ${name}`, shown, value, ROUNDING * most);
  for (const [what, text] of totals) {
    if (/^sum( of the products)?$/.test(what)) compare(what, text, value, 2 * ROUNDING * most);
    else if (/ computed it$|divided by/.test(what)) compare(what, text, value, ROUNDING * most);
    else if (/^y\[[\d,]*\]( − target\[[\d,]*\])?$/.test(what))
      compare(what, text, valueIn(truth, what.split(' ')[0] ?? ''), ROUNDING * largest(truth.values.y));
  }
  for (const [names, numbers, product] of terms) {
    const factors = names.split(' · ').filter((each) => !/pad/.test(each));
    if (numbers === 'in the padding' || factors.length === 0) continue;
    const right = factors.map((each) => valueIn(truth, each));
    numbers.split(' · ').forEach((text, i) => {
      const factor = right[i] ?? null;
      compare(`term ${names}`, text, factor, THREE_DIGITS * Math.abs(factor ?? 0));
    });
    const multiplied = right.reduce<number>((all, each) => all * (each ?? Number.NaN), 1);
    compare(`product ${names}`, product, multiplied, THREE_DIGITS * Math.abs(multiplied) + 1e-30);
  }
  return faults;
}

function lossFaults({ loss }: Seen, truth: Truth): readonly string[] {
  const said = /^L = ([\d.e+]+): squared error to the target 0/.exec(loss)?.[1];
  if (said === undefined) return [];
  const y = truth.values.y;
  const right = Array.from(y).reduce((sum, value) => sum + value * value, 0) / (2 * y.length);
  return Math.abs(Number(said) - right) <= 1e-5 * right ? [] : [`L: ${said}, not ${right}`];
}

/** What the kernel computed stands in the table as such; the badge of the broken algorithm says x[0,0]. */
function checkFaults({ check, badge }: Seen, truth: Truth): readonly string[] {
  const faults = check.flatMap(([what = '', text = '']) => {
    const name = /^backward pass, (.*)$/.exec(what)?.[1];
    if (!name || text === '') return [];
    const right = valueIn(truth, name);
    const said = numberOf(text);
    return right !== null && Math.abs(said - right) <= 1e-5 * largest(truth.values[/^\w+/.exec(name)?.[0] as TruthName])
      ? []
      : [`${what}: ${text}, not ${right}`];
  });
  const said = /: (.*)$/.exec(badge[1] ?? '')?.[1];
  const error = badge[0] === 'algorithm gather' ? Math.abs(truth.plane('x').at(0, 0)) : 0;
  const within = 1e-3 * error + 1e-5 * largest(truth.values.dx) + 1e-5 * largest(truth.values.dw);
  if (said !== undefined && !(Math.abs(numberOf(said) - error) <= within)) {
    faults.push(`${badge.join(', ')}, not ${error}`);
  }
  return faults;
}
