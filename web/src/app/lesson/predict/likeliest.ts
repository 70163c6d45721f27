import type { MistakeEntry } from '../../../protocol/questions';

/** Mistakes that are explained at once. A number that several mistakes give does not tell which of them was made. */
export const MOST_EXPLAINED = 2;

/** Before an explanation of several. */
export const COULD_BE = 'It could be one of these mistakes:';

/**
 * The mistakes to explain: first those that the open question is about (`about`, by name), then those that the open step of a lesson
 * explains, then those of its lesson. `study`: the name of the step, as in links. The lessons themselves are loaded later.
 */
export function likeliest(
  mistakes: readonly MistakeEntry[],
  study: string | null,
  about: readonly string[] = [],
): readonly MistakeEntry[] {
  const lessonOf = (step: string) => step.split('.')[0];
  const rank = ({ id, step }: MistakeEntry): number => {
    if (about.includes(id)) return about.indexOf(id);
    if (study === null || lessonOf(step) !== lessonOf(study)) return about.length + 2;
    return about.length + Number(step !== study);
  };
  // Sorting keeps the order of equal ranks.
  return [...mistakes].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_EXPLAINED);
}
