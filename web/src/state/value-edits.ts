import type { Geometry } from '../protocol/problem';
import { type Edited, refused } from './edits';
import type { Problem } from './problem';

export type Values = Readonly<Partial<Record<'x' | 'w' | 'b', Float32Array | undefined>>>;

/** Puts numbers into x, w and b that were made in a picture of `geometry`. */
export function editValues(problem: Problem, values: Values, { layout }: Geometry): Edited {
  const taken = { ...problem };
  for (const name of ['x', 'w', 'b'] as const) {
    const [tensor, data] = [problem[name], values[name]];
    if (!data) continue;
    if (layout !== problem.desc.layout || tensor?.data.length !== data.length) {
      return refused(name, `${name} has another size by now`);
    }
    taken[name] = { ...tensor, data, edited: true };
  }
  return { problem: taken };
}
