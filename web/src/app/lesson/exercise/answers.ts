import { membersOf } from '../../../storage/members';
import { persisted } from '../progress';

/** The answers in a link: "2:41_-7hm2_hhr" is round 2, 41, then −7 with a hint after 2 misses, then two hints and revealed. */

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

const stored = persisted(
  'exercises',
  (text): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(membersOf(text)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
);

/** The work on each set, in the format of a link: the answers, and the fields beside them ("41_2&name=Ada"). */
export const persistedWork = stored.value;

/** Null deletes the work on a set. */
export const persistWork = (id: string, text: string | null): void =>
  stored.persist(({ [id]: _, ...others }) => (text === null ? others : { ...others, [id]: text }));
