import type { Geometry } from '../protocol/problem';
import { type EditResult, refused } from './edits';
import type { Problem } from './problem';

export type Values = Readonly<Partial<Record<'x' | 'w' | 'b', Float32Array | undefined>>>;

/** Sets values of x, w and b that belong to `geometry`. */
export function editValues(problem: Problem, values: Values, { layout }: Geometry): EditResult {
  const taken = { ...problem };
  for (const name of ['x', 'w', 'b'] as const) {
    const [tensor, data] = [problem[name], values[name]];
    if (!data) continue;
    if (layout !== problem.desc.layout || tensor?.data.length !== data.length) {
      return refused(name, `the size of ${name} has changed`);
    }
    taken[name] = { ...tensor, data, edited: true };
  }
  return { problem: taken };
}
