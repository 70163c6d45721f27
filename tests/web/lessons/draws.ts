import {
  drawnQuestions,
  type ExerciseQuestion,
  settledQuestion,
  type ValueQuestion,
} from '../../../web/src/app/lesson/exercise/question';
import { type Draw, drawOf, type ExerciseWork, NO_WORK } from '../../../web/src/app/lesson/exercise/work';
import { judgedAs } from '../../../web/src/app/lesson/predict/predictor';
import { loadModule } from '../../../web/src/engine/load';
import type { ExerciseRef, ExerciseSet } from '../../../web/src/lessons/exercises';
import { readLink } from '../../../web/src/link/read-link';
import { requestOf } from '../../../web/src/state/exchange';
import { answerQuestion, prepareAnswer } from '../../../web/src/worker/answers';
import { ConvEngine } from '../../../web/src/worker/conv-engine';

/** The questions of sets, as the page decides them, with the modules in this process. */
export class Decider {
  #revision = 0;
  readonly #own;

  private constructor(
    readonly engine: ConvEngine,
    problem: Awaited<ReturnType<typeof readLink>>['problem'],
  ) {
    this.#own = { questions: [], problem };
  }

  static async load(): Promise<Decider> {
    await prepareAnswer({ kind: 'ambiguous' });
    const { module } = await loadModule('simd');
    return new Decider(new ConvEngine(module, answerQuestion), (await readLink('')).problem);
  }

  isAmbiguous(question: ValueQuestion): boolean {
    const { problem, cell } = question;
    this.#revision += 1;
    this.engine.compute(requestOf(problem), this.#revision);
    const judged = question.kind === 'network' ? question.judged : { pass: judgedAs(cell.tensor) };
    return this.engine.ask(this.#revision, { kind: 'ambiguous', ...judged, index: cell.index }).ambiguous;
  }

  /** The question that is asked, and how many draws about a value were rejected before. */
  async settled(
    exerciseRef: ExerciseRef,
    draw: Draw,
  ): Promise<{ readonly question: ExerciseQuestion; readonly rejected: number }> {
    let rejected = 0;
    const question = await settledQuestion(exerciseRef, draw, this.#own, async (asked) => {
      const ambiguous = this.isAmbiguous(asked);
      rejected += Number(ambiguous);
      return ambiguous;
    });
    if (!question) throw new Error('there is no such question');
    return { question, rejected };
  }

  async question(exerciseRef: ExerciseRef, draw: Draw): Promise<ExerciseQuestion> {
    return (await this.settled(exerciseRef, draw)).question;
  }

  /** All questions of a set in rounds of the open link. */
  async all(set: ExerciseSet, rounds: readonly number[]): Promise<ExerciseQuestion[]> {
    const questions: ExerciseQuestion[] = [];
    for (const round of rounds) {
      for (let index = 0; index < set.questions; index += 1) {
        questions.push(await this.question({ set, index }, drawWith({ answers: `${round}:` })));
      }
    }
    return questions;
  }
}

/** The draw of an open link with these fields. */
export const drawWith = (work: Partial<ExerciseWork>): Draw => drawOf({ ...NO_WORK, ...work });

/** The first question of a draw, ambiguous or not. */
export function firstDrawn(exerciseRef: ExerciseRef, draw: Draw): ExerciseQuestion {
  const { value } = drawnQuestions(exerciseRef, draw).next();
  if (!value) throw new Error('there is no draw');
  return value;
}
