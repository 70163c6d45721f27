import { membersOf } from '../../../storage/storage';
import { persisted } from '../progress';

/** The answers in a link: "2:41_-7hm2_r" is round 2, 41, then −7 with a hint after 2 misses, then revealed. */

export interface Answer {
  /** Last number entered; '' if none. */
  readonly written: string;
  readonly hinted: boolean;
  readonly revealed: boolean;
  /** Number of wrong attempts. */
  readonly misses: number;
}

export interface Answers {
  readonly round: number;
  readonly list: readonly Answer[];
}

const NO_ANSWER: Answer = { written: '', hinted: false, revealed: false, misses: 0 };
export const NO_ANSWERS: Answers = { round: 1, list: [] };

const ENTRY = /^([+-]?[\d.]*(?:e[+-]?\d+)?)(h?)(r?)(?:m(\d+))?$/i;

export function readAnswers(text: string | null): Answers {
  const [, round = '1', rest = ''] = /^(?:(\d+):)?(.*)$/.exec(text ?? '') ?? [];
  const list = rest.split('_').map((part): Answer => {
    const [, written = '', hint = '', reveal = '', misses = '0'] = ENTRY.exec(part) ?? [];
    return { written, hinted: hint !== '', revealed: reveal !== '', misses: Number(misses) };
  });
  return { round: Number(round), list: rest === '' ? [] : list };
}

const entryText = ({ written, hinted, revealed, misses }: Answer): string =>
  `${written}${hinted ? 'h' : ''}${revealed ? 'r' : ''}${misses > 0 ? `m${misses}` : ''}`;

/** Null if nothing was answered in the first round. */
export function answersText({ round, list }: Answers): string | null {
  const texts = list.map(entryText).join('_').replace(/_+$/, '');
  if (texts === '' && round === 1) return null;
  return round === 1 ? texts : `${round}:${texts}`;
}

export const answerAt = ({ list }: Answers, index: number): Answer => list[index] ?? NO_ANSWER;

export const isAnswered = ({ written, revealed }: Answer): boolean => written !== '' || revealed;

export function withAnswer({ round, list }: Answers, index: number, answer: Answer): Answers {
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

/** The answers of each set, in the format of a link. */
export const persistedAnswers = stored.value;

/** Null deletes the answers of a set. */
export function persistAnswers(id: string, text: string | null): void {
  const { [id]: _, ...others } = persistedAnswers.peek();
  stored.persist(text === null ? others : { ...others, [id]: text });
}
