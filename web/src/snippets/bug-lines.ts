import type { Pass, ProcessName } from '../protocol/problem';
import { cppCode } from './cpp';
import { DEFAULT_LOOP_ORDERS, type Subject } from './snippet';

/**
 * The lines that each bug of “Spot the bug” changes in the loops of the Code tab. `tests/web/snippets/bug-lines.test.ts` runs the
 * changed loops and compares their results with those of the library (cpp/src/mistakes/catalogue.cpp).
 */

/** A line of the loops and the line that a mistake makes of it; null: the mistake adds the line. */
export interface ChangedLine {
  readonly right: string | null;
  readonly wrong: string;
}

export interface BugLines {
  readonly lines: readonly ChangedLine[];
  /** Explains names that only the wrong lines have. */
  readonly note: string | null;
}

interface Change {
  /** Texts of a line and what replaces them. */
  readonly texts?: readonly (readonly [string | RegExp, string])[];
  /** A line that is added before the first line with this beginning. */
  readonly added?: { readonly before: string; readonly line: string };
  /** Default: the loops of the Code tab. */
  readonly process?: ProcessName;
  readonly note?: string;
}

type ChangeOf = (subject: Subject, pass: Pass) => Change | null;

const hasTaps = (pass: Pass): boolean => pass !== 'backward_bias';
const isSummedOverImages = (pass: Pass): boolean => pass === 'backward_weights' || pass === 'backward_bias';

/** Divides each product, or each cell of dy, before it is added. */
const divide = (by: string) => [[/(\+= .*);/, `$1 / ${by};`]] as const;

const COUNTS: Readonly<Record<Pass, string>> = {
  forward: 'count: the number of products, without those in the padding',
  backward_data: 'count: the number of windows that contain the cell',
  backward_weights: 'count: the number of windows in which the weight meets a cell of x',
  backward_bias: 'count: the number of cells of dy',
};

/** What each of these bugs changes; null where it changes nothing. */
const CHANGES: Readonly<Record<string, ChangeOf>> = {
  opposite_weight: (_, pass) => (hasTaps(pass) ? { texts: [['[p][q]', '[KH-1-p][KW-1-q]']] } : null),
  averaged: (_, pass) => ({ texts: divide('count'), note: COUNTS[pass] }),
  padding_forgotten: (_, pass) =>
    hasTaps(pass)
      ? {
          texts: [
            ...([
              [' - TOP;', ';'],
              [' - LEFT;', ';'],
            ] as const),
            ['if (r < 0 || r >= H)', 'if (i*SH + (KH-1)*DH >= H)'],
            ['if (s < 0 || s >= W)', 'if (j*SW + (KW-1)*DW >= W)'],
          ],
        }
      : {
          texts: [
            ['i < OH', 'i <= (H - 1 - (KH-1)*DH) / SH'],
            ['j < OW', 'j <= (W - 1 - (KW-1)*DW) / SW'],
          ],
        },
  unpadded_indices: (_, pass) =>
    hasTaps(pass)
      ? {
          texts: [
            [' - TOP;', ';'],
            [' - LEFT;', ';'],
          ],
        }
      : null,
  stride_forgotten: (_, pass) =>
    hasTaps(pass)
      ? {
          texts: [
            ['i*SH', 'i'],
            ['j*SW', 'j'],
          ],
        }
      : null,
  strides_exchanged: (_, pass) =>
    hasTaps(pass)
      ? {
          texts: [
            ['i*SH', 'i*SW'],
            ['j*SW', 'j*SH'],
          ],
        }
      : null,
  remainder_first: (_, pass) =>
    pass === 'backward_data' || pass === 'backward_weights'
      ? {
          texts: [
            [' - TOP;', ' - TOP + RH;'],
            [' - LEFT;', ' - LEFT + RW;'],
          ],
          note: 'RH, RW: the remainder, the rows and columns that no window reads',
        }
      : null,
  assigned: assign,
  one_image: (_, pass) => (isSummedOverImages(pass) ? { texts: [['n < N', 'n < 1']] } : null),
  divided_by_batch: () => ({ texts: divide('N') }),
  other_group: (_, pass) => (hasTaps(pass) ? { texts: [[/(d?x\S*)\[c\]/, '$1[(c + GC) % C]']] } : null),
  transposed: ({ geometry: g }, pass) => {
    if (!hasTaps(pass)) return null;
    if (g.kh === g.kw && g.kh > 1) return { texts: [['[p][q]', '[q][p]']] };
    if (g.oh === g.ow && g.oh > 1) return { texts: [['[i][j]', '[j][i]']] };
    return { texts: [['[r][s]', '[s][r]']] };
  },
  dilation_forgotten: (_, pass) =>
    hasTaps(pass)
      ? {
          texts: [
            ['p*DH', 'p'],
            ['q*DW', 'q'],
          ],
        }
      : null,
  bias_forgotten: ({ bias }, pass) => (bias && pass === 'forward' ? { texts: [['sum = b[k]', 'sum = 0']] } : null),
};

/** "=" in place of "+=". Where a step adds several products, or meets the padding, each step sets the sum to its start value. */
function assign({ geometry: g, bias }: Subject, pass: Pass): Change {
  const texts = [['+=', '=']] as const;
  const { top, bottom, left, right } = g.padding;
  const padded = top + bottom + left + right > 0;
  switch (pass) {
    case 'forward':
      if (g.group_c === 1 && !bias && !padded) return { texts };
      return {
        added: { before: 'int r =', line: `sum = ${bias ? 'b[k]' : '0'};` },
        note: 'Each weight starts the sum again.',
      };
    case 'backward_data':
      return g.group_k === 1 ? { texts } : { process: 'dx_col2im', texts: [['+= row', '= row']] };
    case 'backward_weights':
      if (!padded) return { texts };
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
  const { texts = [], added, process } = change;
  const orders = { ...DEFAULT_LOOP_ORDERS, ...(process ? { [pass]: process } : {}) };
  const loops = cppCode(subject, [pass], orders).flatMap(({ text: right }) => {
    const isComment = right.trimStart().startsWith('//');
    const wrong = isComment ? right : texts.reduce((text, [from, to]) => text.replace(from, to), right);
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
