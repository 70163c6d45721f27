/** What somebody has answered, as a link carries it: "2:41_-7hm2_r" is round 2, 41, then −7 with a hint after 2 misses, then shown. */

export interface Answer {
  /** The number that was written last; '' where none was. */
  readonly written: string;
  readonly hinted: boolean;
  readonly revealed: boolean;
  /** Wrong numbers on the way. */
  readonly misses: number;
}

export interface Answers {
  readonly round: number;
  readonly list: readonly Answer[];
}

export const NO_ANSWER: Answer = { written: '', hinted: false, revealed: false, misses: 0 };
export const NO_ANSWERS: Answers = { round: 1, list: [] };

const ENTRY = /^(-?[\d.]*(?:e[+-]?\d+)?)(h?)(r?)(?:m(\d+))?$/i;

export function readAnswers(text: string | null): Answers {
  const [, round = '1', rest = ''] = /^(?:(\d+):)?(.*)$/.exec(text ?? '') ?? [];
  const list = rest.split('_').map((part): Answer => {
    const [, written = '', hint = '', shown = '', misses = '0'] = ENTRY.exec(part) ?? [];
    return { written, hinted: hint !== '', revealed: shown !== '', misses: Number(misses) };
  });
  return { round: Number(round), list: rest === '' ? [] : list };
}

const entryText = ({ written, hinted, revealed, misses }: Answer): string =>
  `${written}${hinted ? 'h' : ''}${revealed ? 'r' : ''}${misses > 0 ? `m${misses}` : ''}`;

/** Null where nothing was answered in the first round. */
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
