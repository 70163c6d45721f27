import { type ExerciseSet, OWN_SET } from '../../../lessons/exercises';
import { MOST_NAME, printable } from '../../../link/look-fields';
import { cellText, encoded } from '../../../link/text';
import { writeLink } from '../../../link/write-link';
import { DEFAULT_LOOK, type Look } from '../../../look/look';
import type { LookStore } from '../../../look/look-store';
import { type Problem, withOpenLayer } from '../../../state/problem';
import { readAnswers } from './answers';
import type { Draw } from './question';

/** The work on a set, as in a link: name, answers, how the numbers are drawn, and when it was handed in. */
export type ExerciseWork = Pick<Look, 'answers' | 'student' | 'seed' | 'date' | 'digest'>;

export const NO_WORK: ExerciseWork = { answers: null, student: null, seed: null, date: null, digest: null };

const WORK_FIELDS = Object.keys(NO_WORK) as (keyof ExerciseWork)[];

export const workIn = (look: LookStore): ExerciseWork =>
  Object.fromEntries(WORK_FIELDS.map((name) => [name, look[name].value])) as ExerciseWork;

export function writeWork(look: LookStore, work: ExerciseWork): void {
  for (const name of WORK_FIELDS) look[name].value = work[name];
}

/** What the work is about, where the name of the set does not say it: the problem and the questions of the link. */
export type ExerciseSubject = Pick<Look, 'questions'> & { readonly problem: Problem };

/** Sizes and values, in link format. All algorithms give the same values. */
export const inputsText = (problem: Problem): string =>
  writeLink({ problem: withOpenLayer(problem, { algorithms: {} }), look: DEFAULT_LOOK }).hash;

/** The questions of a link and its problem, as text; '' for a set of the page. */
const subjectText = ({ id }: ExerciseSet, { questions, problem }: ExerciseSubject): string =>
  id === OWN_SET
    ? [...questions.map(({ cell, sentence }) => `${cellText(cell)} ${sentence}`), inputsText(problem)].join('\n')
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

/** Keyed digests of texts: SipHash-2-4 (https://www.aumasson.jp/siphash/siphash.pdf), which needs no secure context. */

const MASK = (1n << 64n) - 1n;
const rotated = (word: bigint, by: bigint): bigint => ((word << by) | (word >> (64n - by))) & MASK;

/** `key`: two words of 64 bits. Returns 64 bits. */
export function sipHash([first, second]: readonly [bigint, bigint], bytes: Uint8Array): bigint {
  let a = first ^ 0x736f6d6570736575n;
  let b = second ^ 0x646f72616e646f6dn;
  let c = first ^ 0x6c7967656e657261n;
  let d = second ^ 0x7465646279746573n;
  const rounds = (count: number) => {
    for (let round = 0; round < count; round += 1) {
      a = (a + b) & MASK;
      b = rotated(b, 13n) ^ a;
      a = rotated(a, 32n);
      c = (c + d) & MASK;
      d = rotated(d, 16n) ^ c;
      a = (a + d) & MASK;
      d = rotated(d, 21n) ^ a;
      c = (c + b) & MASK;
      b = rotated(b, 17n) ^ c;
      c = rotated(c, 32n);
    }
  };
  const words = Math.floor(bytes.length / 8) + 1;
  for (let word = 0; word < words; word += 1) {
    const isLast = word === words - 1;
    let value = isLast ? BigInt(bytes.length & 0xff) << 56n : 0n;
    for (let at = 0; at < (isLast ? bytes.length % 8 : 8); at += 1) {
      value |= BigInt(bytes[word * 8 + at] ?? 0) << BigInt(8 * at);
    }
    d ^= value;
    rounds(2);
    a ^= value;
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
