import type { Learned } from '../../protocol/questions';
import { formatScientific } from '../../ui/quantities';
import { goalOf, type LearnChoice } from './choice';

/** "After 40 steps L = 0.0012." and whether learning converges. */
export function sentenceOf(choice: LearnChoice, learned: Learned): string {
  const { steps, loss, step_size } = learned;
  const at = `After ${steps === 1 ? '1 step' : `${steps.toLocaleString('en')} steps`} L = ${formatScientific(loss, 3)}.`;
  if (steps < choice.steps) return `${at} The next step overflows float32, so learning stops here.`;
  if (step_size.factor < -1) {
    return `${at} The learning rate is above ${formatScientific(step_size.largest_rate, 3)}: the error grows ${formatScientific(
      step_size.factor,
      3,
    ).replace('−', '')}× per step.`;
  }
  const goal = goalOf(choice);
  if (goal !== null && loss < goal) return `${at} Converged: L < ${formatScientific(goal, 1)}.`;
  if (steps === 0) return `${at} Press Play: each step goes down the slope.`;
  return at;
}
