import { EXERCISES } from '../../../lessons/exercises';
import type { Page } from '../../page/page';
import { isAnswered, NO_ANSWERS, persistedAnswers, readAnswers } from './answers';
import { exerciseSessionOf } from './session';
import './exercise.css';

/** All sets of exercises, with the progress in each. */
export function ExerciseList({ page }: { readonly page: Page }) {
  return (
    <section class="exercise-list" aria-label="Exercises">
      <h2 class="catalogue__title" tabIndex={-1}>
        Exercises
      </h2>
      <p class="catalogue__words">
        Work out the hidden value. If you are wrong, you see which mistake gives your answer. The link contains your
        answers: hand it in.
      </p>
      <ul class="catalogue__list">
        {EXERCISES.map((set) => {
          const answers = readAnswers(persistedAnswers.value[set.id] ?? null);
          const answered = answers.list.filter(isAnswered).length;
          const next = answers.list.findIndex((answer) => !isAnswered(answer));
          const first = next < 0 ? Math.min(answers.list.length, set.questions) : next;
          return (
            <li key={set.id}>
              <button
                type="button"
                class="catalogue__lesson"
                onClick={() => exerciseSessionOf(page).open(set, first, answered === 0 ? NO_ANSWERS : answers)}
              >
                <span class="catalogue__name">{set.title}</span>
                <span class="catalogue__sentence">{set.sentence}</span>
                <span class="catalogue__state">
                  {answered === 0 ? `${set.questions} questions` : `${answered} of ${set.questions} answered`}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
