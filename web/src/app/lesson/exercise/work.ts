import { isWeighted } from '../../../layers/list';
import { type ExerciseSet, OWN_SET } from '../../../lessons/exercises';
import { MOST_NAME, printable } from '../../../link/look-fields';
import { parseLink } from '../../../link/parse-link';
import { cellText, encoded } from '../../../link/text';
import { writeLink } from '../../../link/write-link';
import { DEFAULT_LOOK, type Look } from '../../../look/look';
import type { LookStore } from '../../../look/look-store';
import type { Problem } from '../../../state/problem';
import { membersOf } from '../../../storage/members';
import { persisted } from '../progress';

/** The work on a set: answers in a link and in storage, how the numbers are drawn, and the digest of a link that is handed in. */

/** An answer. In a link "2:41_-7hm2_hhr" is round 2, 41, then −7 with a hint after 2 misses, then two hints and revealed. */
export interface Answer {
  /** Last number entered; '' if none. */
  readonly written: string;
  readonly hints: number;
  readonly revealed: boolean;
  /** Number of wrong attempts. */
  readonly misses: number;
}

export interface ExerciseAnswers {
  readonly round: number;
  readonly list: readonly Answer[];
}

const NO_ANSWER: Answer = { written: '', hints: 0, revealed: false, misses: 0 };
export const NO_ANSWERS: ExerciseAnswers = { round: 1, list: [] };

const ENTRY = /^([+-]?[\d.]*(?:e[+-]?\d+)?)(h{0,2})(r?)(?:m(\d+))?$/i;

export function readAnswers(text: string | null): ExerciseAnswers {
  const [, round = '1', rest = ''] = /^(?:(\d+):)?(.*)$/.exec(text ?? '') ?? [];
  const list = rest.split('_').map((part): Answer => {
    const [, written = '', hint = '', reveal = '', misses = '0'] = ENTRY.exec(part) ?? [];
    return { written, hints: hint.length, revealed: reveal !== '', misses: Number(misses) };
  });
  return { round: Number(round), list: rest === '' ? [] : list };
}

const entryText = ({ written, hints, revealed, misses }: Answer): string =>
  `${written}${'h'.repeat(hints)}${revealed ? 'r' : ''}${misses > 0 ? `m${misses}` : ''}`;

/** Null if nothing was answered in the first round. */
export function answersText({ round, list }: ExerciseAnswers): string | null {
  const texts = list.map(entryText).join('_').replace(/_+$/, '');
  if (texts === '' && round === 1) return null;
  return round === 1 ? texts : `${round}:${texts}`;
}

export const answerAt = ({ list }: ExerciseAnswers, index: number): Answer => list[index] ?? NO_ANSWER;

export const isAnswered = ({ written, revealed }: Answer): boolean => written !== '' || revealed;

export function withAnswer({ round, list }: ExerciseAnswers, index: number, answer: Answer): ExerciseAnswers {
  const length = Math.max(list.length, index + 1);
  return { round, list: Array.from({ length }, (_, i) => (i === index ? answer : (list[i] ?? NO_ANSWER))) };
}

/** The work on a set, as in a link: name, answers, how the numbers are drawn, and when it was handed in. */
export type ExerciseWork = Pick<Look, 'answers' | 'student' | 'seed' | 'date' | 'digest'>;

export const NO_WORK: ExerciseWork = { answers: null, student: null, seed: null, date: null, digest: null };

const WORK_FIELDS = Object.keys(NO_WORK) as (keyof ExerciseWork)[];

export const workIn = (look: LookStore): ExerciseWork =>
  Object.fromEntries(WORK_FIELDS.map((name) => [name, look[name].value])) as ExerciseWork;

const workOf = ({ answers, student, seed, date, digest }: Look): ExerciseWork => ({
  ...{ answers: answers || null, student, seed, date, digest },
});

export function writeWork(look: LookStore, work: ExerciseWork): void {
  for (const name of WORK_FIELDS) look[name].value = work[name];
}

/** What the work is about, where the name of the set does not say it: the problem and the questions of the link. */
export type ExerciseSubject = Pick<Look, 'questions'> & { readonly problem: Problem };

/** Sizes and values, in link format. All algorithms give the same values. */
export function inputsText(problem: Problem): string {
  const layers = problem.layers.map((layer) => (isWeighted(layer) ? { ...layer, algorithms: {} } : layer));
  return writeLink({ problem: { ...problem, layers }, look: DEFAULT_LOOK }).hash;
}

/** The questions of a link and its problem, as text; '' for a set of the page. */
const subjectText = ({ id }: ExerciseSet, { questions, problem }: ExerciseSubject): string =>
  id === OWN_SET
    ? [
        ...questions.map(({ cell, sentence, asks }) => `${cell ? cellText(cell) : JSON.stringify(asks)} ${sentence}`),
        inputsText(problem),
      ].join('\n')
    : '';

/** Identifies the questions of a link: equal for all links with the same questions and problem. */
export const subjectName = (set: ExerciseSet, subject: ExerciseSubject): string =>
  set.id === OWN_SET ? `${set.title} ${digestOf([subjectText(set, subject)]).slice(0, 4)}` : set.title;

/** The last text of a set of the page names how its numbers are drawn. */
function digested(set: ExerciseSet, { answers, student, seed, date }: ExerciseWork, subject: ExerciseSubject): string {
  const texts = [set.id, seed ?? '', student ?? '', answers ?? '', date ?? '', subjectText(set, subject)];
  return digestOf(set.id === OWN_SET ? texts : [...texts, 'unambiguous']);
}

/**
 * Whether the digest of a link fits its work. open: no work yet; fits; edited: the link was changed outside the page, so hints,
 * revealed values and attempts are not known.
 */
export type Seal = 'open' | 'fits' | 'edited';

export function sealOf(set: ExerciseSet, work: ExerciseWork, subject: ExerciseSubject): Seal {
  if (work.digest !== null) return work.digest === digested(set, work, subject) ? 'fits' : 'edited';
  return work.answers === null && work.student === null && work.date === null ? 'open' : 'edited';
}

/** `work` with its digest. Edited work stays as it is. */
export const sealed = (set: ExerciseSet, work: ExerciseWork, subject: ExerciseSubject, before: Seal): ExerciseWork =>
  before === 'edited' ? work : { ...work, digest: digested(set, work, subject) };

/** A name as it is compared: letter case, width and repeated spaces do not count. */
const normalized = (name: string): string => printable(name.normalize('NFKC'), MOST_NAME).toLowerCase();

/** FNV-1a, 32 bits. */
function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Every student has other numbers: they follow from the name. */
export const isEach = ({ seed }: Pick<ExerciseWork, 'seed'>): boolean => seed?.endsWith('.each') ?? false;

/** True if the numbers follow from a name that is missing. */
export const needsName = (work: ExerciseWork): boolean => isEach(work) && work.student === null;

/** How numbers are drawn: equal draws give equal questions. */
export interface Draw {
  readonly round: number;
  /** More seeds; none: those of the set alone. */
  readonly seeds: readonly number[];
}

/** How the numbers of a set are drawn. */
export function drawOf(work: ExerciseWork): Draw {
  const { round } = readAnswers(work.answers);
  const { seed, student } = work;
  const seeds = seed === null ? [] : [Number.parseInt(seed, 10), isEach(work) ? mixed(normalized(student ?? '')) : 0];
  return { round, seeds };
}

/** Fields of a link, each with "&". */
export const workText = ({ answers, student, seed, date, digest }: ExerciseWork): string =>
  Object.entries({ answers, name: student && encoded(student), seed, date, digest })
    .map(([key, text]) => (text === null ? '' : `&${key}=${text}`))
    .join('');

const U64 = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotated = (word: bigint, by: bigint): bigint => U64(word << by) | (word >> (64n - by));

/**
 * A keyed digest of 64 bits: SipHash-2-4 (https://www.aumasson.jp/siphash/siphash.pdf), which needs no secure context. `key`: two words of
 * 64 bits.
 */
export function sipHash([first, second]: readonly [bigint, bigint], bytes: Uint8Array): bigint {
  let a = first ^ 0x736f6d6570736575n;
  let b = second ^ 0x646f72616e646f6dn;
  let c = first ^ 0x6c7967656e657261n;
  let d = second ^ 0x7465646279746573n;
  const rounds = (count: number) => {
    for (let round = 0; round < count; round += 1) {
      a = U64(a + b);
      b = rotated(b, 13n) ^ a;
      a = rotated(a, 32n);
      c = U64(c + d);
      d = rotated(d, 16n) ^ c;
      a = U64(a + d);
      d = rotated(d, 21n) ^ a;
      c = U64(c + b);
      b = rotated(b, 17n) ^ c;
      c = rotated(c, 32n);
    }
  };
  // Words of 8 bytes; the last byte of the last one is the length.
  const padded = new Uint8Array(8 * (Math.floor(bytes.length / 8) + 1));
  padded.set(bytes);
  padded[padded.length - 1] = bytes.length;
  for (const word of new BigUint64Array(padded.buffer)) {
    d ^= word;
    rounds(2);
    a ^= word;
  }
  c ^= 0xffn;
  rounds(4);
  return a ^ b ^ c ^ d;
}

/** The key is in the program of the page: a digest shows that a link was edited by hand, and does not prevent forgery. */
const KEY = [0x636f6e763264206en, 0x706c617967726f75n] as const;

/** 16 hexadecimal digits for a list of texts. */
export const digestOf = (texts: readonly string[]): string =>
  sipHash(KEY, new TextEncoder().encode(JSON.stringify(texts)))
    .toString(16)
    .padStart(16, '0');

const stored = persisted(
  'exercises',
  (text): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(membersOf(text)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
);

/** The work on each set, in the format of a link: the answers, and the fields beside them ("41_2&name=Ada"). */
export const persistedWork = stored.value;

/** Work without answers and a name is deleted. */
export const persistWork = (id: string, work: ExerciseWork): void =>
  stored.persist(({ [id]: _, ...others }) =>
    work.answers === null && work.student === null
      ? others
      : { ...others, [id]: `${work.answers ?? ''}${workText({ ...work, answers: null })}` },
  );

/** The work on a set from browser storage. */
export const storedWork = (text?: string): ExerciseWork =>
  text === undefined ? NO_WORK : workOf(parseLink(`answers=${text}`).look);
