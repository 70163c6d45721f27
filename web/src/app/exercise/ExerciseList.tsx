import { EXERCISES } from '../../lessons/exercises';
import type { Page } from '../page';
import { isAnswered, NO_ANSWERS, readAnswers } from './answers';
import { kept } from './kept';
import { runOf } from './run';
import './exercise.css';

/** All sets of exercises, and how far one has come in each. */
export function ExerciseList({ page }: { readonly page: Page }) {
  return (
    <section class="exercise-list" aria-label="Exercises">
      <h2 class="catalogue__title" tabIndex={-1}>
        Exercises
      </h2>
      <p class="catalogue__words">
        A number is hidden, and you say what it is. A wrong one is told which idea gives it. What you answer stands in
        the link, to be handed in.
      </p>
      <ul class="catalogue__list">
        {EXERCISES.map((set) => {
          const answers = readAnswers(kept.value[set.id] ?? null);
          const answered = answers.list.filter(isAnswered).length;
          const next = answers.list.findIndex((answer) => !isAnswered(answer));
          const first = next < 0 ? Math.min(answers.list.length, set.questions) : next;
          return (
            <li key={set.id}>
              <button
                type="button"
                class="catalogue__lesson"
                onClick={() => runOf(page).open(set, first, answered === 0 ? NO_ANSWERS : answers)}
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
