import type { Learnt } from '../../protocol/questions';
import { formatScientific } from '../../ui/quantities';
import { type Choice, goalOf } from './choice';

/** "After 40 steps L = 0.0012." and what is to be said of it. */
export function sentenceOf(choice: Choice, learnt: Learnt): string {
  const { steps, loss, pace } = learnt;
  const at = `After ${steps === 1 ? '1 step' : `${steps.toLocaleString('en')} steps`} L = ${formatScientific(loss, 3)}.`;
  if (steps < choice.steps) return `${at} The next step leads beyond what float32 can hold: it ends here.`;
  if (pace.factor < -1) {
    return `${at} The rate is above ${formatScientific(pace.largest_rate, 3)}: what is wrong grows ${formatScientific(
      pace.factor,
      3,
    ).replace('−', '')} times with each step, at the end.`;
  }
  const goal = goalOf(choice);
  if (goal !== null && loss < goal) return `${at} Learnt: it is below ${formatScientific(goal, 1)}.`;
  if (steps === 0) return `${at} Press play: each step goes a little down the slope.`;
  return at;
}
