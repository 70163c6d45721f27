import { exerciseRefOf } from '../../../lessons/exercises';
import { stepRefOf } from '../../../lessons/lessons';
import type { MistakeEntry } from '../../../protocol/questions';

/** Mistakes that are explained at once. A number that several mistakes give does not tell which of them was made. */
export const MOST_EXPLAINED = 2;

/** Before an explanation of several. */
export const COULD_BE = 'It could be one of these mistakes:';

/**
 * The mistakes to explain: first those that the open question is about. `study`: the name of the open step or question, as in
 * links. A step is about the mistakes that it explains, then about those of its lesson; a set lists its own.
 */
export function likeliest(mistakes: readonly MistakeEntry[], study: string | null): readonly MistakeEntry[] {
  const lesson = stepRefOf(study)?.lesson;
  const ofSet = exerciseRefOf(study)?.set.mistakes ?? [];
  const rank = ({ id, step }: MistakeEntry): number => {
    if (lesson) return step === study ? 0 : stepRefOf(step)?.lesson === lesson ? 1 : 2;
    return ofSet.includes(id) ? ofSet.indexOf(id) : ofSet.length;
  };
  // Sorting keeps the order of equal ranks.
  return [...mistakes].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_EXPLAINED);
}
