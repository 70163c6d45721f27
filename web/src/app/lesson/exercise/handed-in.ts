import type { ComputeClient } from '../../../compute/client';
import { exerciseRefOf } from '../../../lessons/exercises';
import { LINK_LIMITS } from '../../../link/field';
import { readLink } from '../../../link/read-link';
import { shortened } from '../../../link/text';
import { type AnswerMark, type HandedIn, markAll, markText, questionAt, SEAL_WORDS } from './marking';
import { answerWords } from './question';
import { answerAt, readAnswers, sealOf, subjectName } from './work';

/** Marking many hand-in links: finding them in a text, checking each, and the table as CSV. */

/** A line of the text, with its link; null: it has none. */
interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  readonly hash: string | null;
}

export const MOST_LINES = 2000;

/** In a line of CSV without quotes, more columns can follow the link. No comma belongs to these fields. */
const NEXT_COLUMN = /((?:^|&)(?:answers|name|seed|date|digest)=[^&,;]*)[,;].*$/;

/** The links of a text or CSV file: of each line that is not empty, all links, or one entry without a link. */
export function linksIn(text: string): readonly Line[] {
  return text.split(/\r\n|\r|\n/).flatMap((line, at): readonly Line[] => {
    if (line.trim() === '') return [];
    const found = line.match(/#[^\s"<>#]*=[^\s"<>#]*/g) ?? [];
    const common = { number: at + 1, text: line.trim() };
    if (found.length === 0) return [{ ...common, hash: null }];
    return found.map((link) => ({ ...common, hash: link.slice(1).replace(NEXT_COLUMN, '$1') }));
  });
}

export type HandInRow = { readonly line: number } & (
  | { readonly why: string }
  | (HandedIn & {
      readonly why: null;
      readonly marks: readonly AnswerMark[];
      /** The right answers in words. */
      readonly rights: readonly string[];
    })
);

/** Checks one line with the library. */
export async function markLine(line: Line, client: ComputeClient, signal: AbortSignal): Promise<HandInRow> {
  const failed = (why: string): HandInRow => ({ line: line.number, why });
  const { hash } = line;
  if (hash === null) return failed(`No link: “${shortened(line.text)}”.`);
  if (hash.length > LINK_LIMITS.characters) return failed('The link is too long.');
  const { problem, look, fault, complaints } = await readLink(hash);
  if (fault === 'costly') return failed('The problem of the link is too large to mark here. Open the link.');
  if (fault) return failed(complaints[0] ?? 'The link does not open.');
  const set = exerciseRefOf(look.lesson, look.questions)?.set;
  if (!set) return failed(complaints[0] ?? 'The link has no exercise.');
  const subject = { questions: look.questions, problem };
  const handedIn = { set, work: look, subject, seal: sealOf(set, look, subject) };
  const [marks, rights]: [AnswerMark[], string[]] = [[], []];
  const note = (_: number, mark: AnswerMark, right: string) => {
    marks.push(mark);
    rights.push(right);
  };
  await markAll(handedIn, note, signal, client);
  return { line: line.number, why: null, ...handedIn, marks, rights };
}

/** Columns before the answers. */
export const HEADINGS = ['line', 'name', 'set', 'seed', 'handed in', 'points', 'of', 'help', 'link'] as const;

const pointsIn = (marks: readonly AnswerMark[]): number => marks.filter((mark) => mark === 'right').length;

/** The cells of a row under HEADINGS. The answers of an edited link do not count. */
export function csvCells(row: HandInRow): readonly string[] {
  const line = String(row.line);
  if (row.why !== null) return [line, '', '', '', '', '', '', '', `Line ${line}: ${row.why}`];
  const { set, work, subject, seal, marks } = row;
  return [
    line,
    work.student ?? '',
    subjectName(set, subject),
    work.seed ?? '',
    work.date ?? '',
    seal === 'edited' ? 'not counted' : String(pointsIn(marks)),
    String(set.questions),
    helpIn(row),
    SEAL_WORDS[seal],
  ];
}

/** Help with all answers, in a few words. */
function helpIn({ work, seal, set }: HandedIn): string {
  if (seal === 'edited') return 'unknown';
  const answers = readAnswers(work.answers).list.slice(0, set.questions);
  const parts = Object.entries({ hints: 'hints', revealed: 'revealed', misses: 'wrong attempts' } as const).flatMap(
    ([help, word]) => {
      const count = answers.reduce((sum, answer) => sum + Number(answer[help as 'hints']), 0);
      return count === 0 ? [] : [`${word}: ${count}`];
    },
  );
  return parts.join(', ') || 'none';
}

/** Each answer of a row: what was written, and its mark in words. */
export function answersOf(row: HandInRow) {
  if (row.why !== null) return [];
  const answers = readAnswers(row.work.answers);
  return row.marks.map((mark, index) => {
    const answer = answerAt(answers, index);
    const question = questionAt(row, index);
    const isWords = question?.kind === 'reads' || question?.kind === 'choice';
    const written = isWords && answer.written !== '' ? answerWords(question, answer.written) : answer.written;
    const right = mark === 'wrong' && row.rights[index] ? ` (right: ${row.rights[index]})` : '';
    return { written, mark, right, text: `${markText(mark, answer, row.seal)}${right}` };
  });
}

/**
 * A row for each set: the mean of its points, the questions that are most often wrong, and the share of links with a right answer for each
 * question. Links that were edited do not count.
 */
export function meansOf(rows: readonly HandInRow[]): readonly Record<'cells' | 'shares', readonly string[]>[] {
  const counted = rows.flatMap((row) => (row.why === null && row.seal !== 'edited' ? [row] : []));
  const sets = [...new Set(counted.map(({ set, subject }) => subjectName(set, subject)))];
  return sets.map((name) => {
    const own = counted.filter(({ set, subject }) => subjectName(set, subject) === name);
    const rights = (own[0]?.marks ?? []).map((_, at) => own.filter(({ marks }) => marks[at] === 'right').length);
    const least = Math.min(...rights);
    const worst = rights.flatMap((count, at) => (count === least ? [at + 1] : []));
    const mean = own.reduce((sum, { marks }) => sum + pointsIn(marks), 0) / own.length;
    const words = least === own.length ? 'all right' : `most often wrong: ${worst.join(', ')}`;
    return {
      cells: ['', `mean of ${own.length}`, name, '', '', mean.toFixed(1), String(rights.length), '', words],
      shares: rights.map((count) => `${Math.round((100 * count) / own.length)} %`),
    };
  });
}

/** A spreadsheet would run such a text as a formula. */
const FORMULA = /^[\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const PLAIN_NUMBER = /^[+-]?[\d.]+(e[+-]?\d+)?$/i;

/** A text as a cell of CSV. Texts that could be formulas get an apostrophe. */
export function csvCell(text: string): string {
  const isFormula = FORMULA.test(text) && !PLAIN_NUMBER.test(text);
  return `"${isFormula ? "'" : ''}${text.replaceAll('"', '""')}"`;
}

/** The table as CSV, with a column for each answer and one for its mark; below, the means. */
export function csvOf(rows: readonly HandInRow[]): string {
  const most = Math.max(0, ...rows.map((row) => answersOf(row).length));
  const numbers = Array.from({ length: most }, (_, index) => index + 1);
  const lines = [
    [...HEADINGS, ...numbers.flatMap((number) => [`answer ${number}`, `mark ${number}`])],
    ...rows.map((row) => [...csvCells(row), ...answersOf(row).flatMap(({ written, text }) => [written, text])]),
    ...meansOf(rows).map(({ cells, shares }) => [...cells, ...shares.flatMap((share) => ['', share])]),
  ];
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}
