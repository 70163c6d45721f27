import { isPadded } from '../layers/code';
import type { Pass, ProcessName } from '../protocol/problem';
import { cppCode } from './cpp';
import { DEFAULT_LOOP_ORDERS, type Subject } from './snippet';

/**
 * The lines that each bug of “Spot the bug” changes in the loops of the Code tab. `tests/web/snippets/bug-lines.test.ts` runs the
 * changed loops and compares their results with those of the library (cpp/src/mistakes/mistake_catalogue.cpp).
 */

/** A line of the loops and the line that a mistake makes of it; null: the mistake adds the line. */
interface ChangedLine {
  readonly right: string | null;
  readonly wrong: string;
}

interface BugLines {
  readonly lines: readonly ChangedLine[];
  /** Explains names that only the wrong lines have. */
  readonly note: string | null;
}

interface Change {
  /** Texts of a line and what replaces them. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly pattern?: readonly [RegExp, string];
  /** A line that is added before the first line with this beginning. */
  readonly added?: { readonly before: string; readonly line: string };
  /** Default: the loops of the Code tab. */
  readonly process?: ProcessName;
  readonly note?: string | undefined;
}

type ChangeOf = (subject: Subject, pass: Pass) => Change | null;

/** Changes the same texts in some passes. */
const inPasses =
  (passes: readonly Pass[], texts: NonNullable<Change['texts']>, note?: string): ChangeOf =>
  (_, pass) =>
    passes.includes(pass) ? { texts, note } : null;

const WITH_TAPS: readonly Pass[] = ['forward', 'backward_data', 'backward_weights'];

/** Divides each product, or each cell of dy, before it is added. */
const divide = (by: string): Change => ({ pattern: [/(\+= .*);/, `$1 / ${by};`] });

const COUNTS: Readonly<Record<Pass, string>> = {
  forward: 'count: the number of products, without those in the padding',
  backward_data: 'count: the number of windows that contain the cell',
  backward_weights: 'count: the number of windows in which the weight meets a cell of x',
  backward_bias: 'count: the number of cells of dy',
};

const UNPADDED = { ' - TOP;': ';', ' - LEFT;': ';' };

/** What each of these bugs changes; null where it changes nothing. */
const CHANGES: Readonly<Record<string, ChangeOf>> = {
  opposite_weight: inPasses(WITH_TAPS, { '[p][q]': '[KH-1-p][KW-1-q]' }),
  averaged: (_, pass) => ({ ...divide('count'), note: COUNTS[pass] }),
  padding_forgotten: (_, pass) => ({
    texts:
      pass === 'backward_bias'
        ? { 'i < OH': 'i <= (H - 1 - (KH-1)*DH) / SH', 'j < OW': 'j <= (W - 1 - (KW-1)*DW) / SW' }
        : {
            ...UNPADDED,
            'if (r < 0 || r >= H)': 'if (i*SH + (KH-1)*DH >= H)',
            'if (s < 0 || s >= W)': 'if (j*SW + (KW-1)*DW >= W)',
          },
  }),
  unpadded_indices: inPasses(WITH_TAPS, UNPADDED),
  stride_forgotten: inPasses(WITH_TAPS, { 'i*SH': 'i', 'j*SW': 'j' }),
  strides_exchanged: inPasses(WITH_TAPS, { 'i*SH': 'i*SW', 'j*SW': 'j*SH' }),
  remainder_first: inPasses(
    ['backward_data', 'backward_weights'],
    { ' - TOP;': ' - TOP + RH;', ' - LEFT;': ' - LEFT + RW;' },
    'RH, RW: the remainder, the rows and columns that no window reads',
  ),
  assigned: assign,
  one_image: inPasses(['backward_weights', 'backward_bias'], { 'n < N': 'n < 1' }),
  divided_by_batch: () => divide('N'),
  other_group: (_, pass) => (WITH_TAPS.includes(pass) ? { pattern: [/(d?x\S*)\[c\]/, '$1[(c + GC) % C]'] } : null),
  transposed({ geometry: g }, pass) {
    if (pass === 'backward_bias') return null;
    if (g.kh === g.kw && g.kh > 1) return { texts: { '[p][q]': '[q][p]' } };
    if (g.oh === g.ow && g.oh > 1) return { texts: { '[i][j]': '[j][i]' } };
    return { texts: { '[r][s]': '[s][r]' } };
  },
  dilation_forgotten: inPasses(WITH_TAPS, { 'p*DH': 'p', 'q*DW': 'q' }),
  bias_forgotten: ({ bias }, pass) => (bias && pass === 'forward' ? { texts: { 'sum = b[k]': 'sum = 0' } } : null),
};

/** "=" in place of "+=". Where a step adds several products, or meets the padding, each step sets the sum to its start value. */
function assign({ geometry: g, bias }: Subject, pass: Pass): Change {
  const texts = { '+=': '=' };
  switch (pass) {
    case 'forward':
      if (g.group_c === 1 && !bias && !isPadded(g)) return { texts };
      return {
        added: { before: 'int r =', line: `sum = ${bias ? 'b[k]' : '0'};` },
        note: 'Each weight starts the sum again.',
      };
    case 'backward_data':
      return g.group_k === 1 ? { texts } : { process: 'dx_col2im', texts: { '+= row': '= row' } };
    case 'backward_weights':
      if (!isPadded(g)) return { texts };
      return {
        process: 'dw_dilated_dy',
        added: { before: 'int r =', line: 'sum = 0;' },
        note: 'Each window starts the sum again.',
      };
    case 'backward_bias':
      return { texts };
  }
}

/** The loops of a pass with a mistake, line by line; `right` is the line without it. Null if the mistake changes nothing. */
export function wrongLoops(
  subject: Subject,
  pass: Pass,
  bug: string,
): readonly (ChangedLine & { readonly changed: boolean })[] | null {
  const change = CHANGES[bug]?.(subject, pass);
  if (!change) return null;
  const { texts = {}, pattern, added, process } = change;
  const replaced = [...Object.entries(texts), ...(pattern ? [pattern] : [])];
  const orders = { ...DEFAULT_LOOP_ORDERS, ...(process ? { [pass]: process } : {}) };
  const loops = cppCode(subject, [pass], orders).flatMap(({ text: right }) => {
    const isComment = right.trimStart().startsWith('//');
    const wrong = isComment ? right : replaced.reduce((text, [from, to]) => text.replace(from, to), right);
    const begins = added && right.trimStart().startsWith(added.before);
    const indent = right.slice(0, right.length - right.trimStart().length);
    return [
      ...(begins ? [{ right: null, wrong: indent + added.line, changed: true }] : []),
      { right, wrong, changed: wrong !== right },
    ];
  });
  return loops.some(({ changed }) => changed) ? loops : null;
}

/** The lines that a mistake changes; null if it changes none in this pass. */
export function bugLines(subject: Subject, pass: Pass, bug: string): BugLines | null {
  const loops = wrongLoops(subject, pass, bug);
  if (!loops) return null;
  const lines = loops.flatMap(({ right, wrong, changed }) =>
    changed ? [{ right: right?.trim() ?? null, wrong: wrong.trim() }] : [],
  );
  return { lines, note: CHANGES[bug]?.(subject, pass)?.note ?? null };
}
