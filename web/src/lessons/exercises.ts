import sets from '../../content/exercises.yaml';
import type { TeacherQuestion } from '../look/look';

/** A set of exercises: an entry in web/content/exercises.yaml. `tests/web/lessons/exercises.test.ts` runs each. */
export interface ExerciseSet {
  /** Its name in a link. Lessons and sets share one namespace: their names differ. */
  readonly id: string;
  readonly title: string;
  /** Learning goal, one sentence. */
  readonly sentence: string;
  /** Instructions above every question. */
  readonly words: string;
  /** The same seed always gives the same questions. Later rounds derive their own seeds. */
  readonly seed: number;
  readonly questions: number;
  /**
   * Questions in turn: a tensor with a hidden value, in a network by its name in the view Network; an entry in counts.yaml; or the cells
   * that a sum reads ("reads dx").
   */
  readonly asks: readonly string[];
  /**
   * Link fields that vary, each with its equally likely values (link/fields.ts); an empty one leaves the field out. `random` gets a seed
   * for each question, also inside of a layer: "conv;kh:2;kw:2;weights:random". Impossible combinations (a kernel larger than its x) are
   * drawn again.
   */
  readonly varies: Readonly<Record<string, readonly (string | number)[]>>;
  /** Names of the mistakes that the set is about: of several that give a wrong value, these are explained first. */
  readonly mistakes?: readonly string[];
}

export const EXERCISES = sets as readonly ExerciseSet[];

/** The questions of a teacher as a set; its questions are in the link. */
export const OWN_SET = 'questions';

const ownSets = new WeakMap<readonly TeacherQuestion[], ExerciseSet>();

function ownSet(questions: readonly TeacherQuestion[]): ExerciseSet | undefined {
  const known = ownSets.get(questions) ?? {
    id: OWN_SET,
    title: 'Questions',
    sentence: 'Questions about the problem of this link.',
    words: 'The question is about the layer on the page.',
    seed: 0,
    questions: questions.length,
    asks: [],
    varies: {},
  };
  ownSets.set(questions, known);
  return questions.length === 0 ? undefined : known;
}

/** All sets, and that of the link. */
export function exerciseSets(own: readonly TeacherQuestion[]): readonly ExerciseSet[] {
  const set = ownSet(own);
  return set ? [set, ...EXERCISES] : EXERCISES;
}

/** A question of a set; the index after the last question is the result. */
export interface ExerciseRef {
  readonly set: ExerciseSet;
  /** Counted from 0. */
  readonly index: number;
}

/** "forward-sums.2": the second question. */
export const exerciseRefText = ({ set, index }: ExerciseRef): string => `${set.id}.${index + 1}`;

/** `own`: the questions in the link. */
export function exerciseRefOf(text: string | null, own: readonly TeacherQuestion[] = []): ExerciseRef | null {
  const [id, number] = text?.split('.') ?? [];
  const set = exerciseSets(own).find((candidate) => candidate.id === id);
  const index = Number(number) - 1;
  return set && index >= 0 && index <= set.questions ? { set, index } : null;
}
