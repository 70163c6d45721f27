import { gridOf } from '../../geometry/grid';
import type { Geometry } from '../../protocol/problem';
import type { Task } from './task';

const FILES = import.meta.glob<{ readonly task: Task }>('./tasks/*.ts', { eager: true });

export interface NamedTask extends Task {
  /** The name of its file: what a link calls it. */
  readonly id: string;
}

/** THE LIST of what can be learnt, in the order of the menu. */
export const TASKS: readonly NamedTask[] = Object.entries(FILES)
  .map(([path, { task }]) => ({ ...task, id: path.replace(/^.*\/|\.ts$/g, '') }))
  .sort((a, b) => a.place - b.place);

/** What opens a task: the problem, the mode and the task's own rate. */
export const linkOf = ({ link, id }: NamedTask): string => `${link}&mode=learn&learn.task=${id}`;

/** A task's kernel in the middle of every filter, on the channel of the filter's own number. */
export function teacherOf(g: Geometry, { kernel }: Task): Float32Array {
  const { stride, size, cells } = gridOf(g, 'w');
  const weights = new Float32Array(cells);
  const top = Math.floor((g.kh - kernel.length) / 2);
  const left = Math.floor((g.kw - (kernel[0]?.length ?? 0)) / 2);
  for (let filter = 0; filter < size.slice; filter += 1) {
    const start = filter * stride.slice + (filter % size.channel) * stride.channel;
    kernel.forEach((row, p) => {
      row.forEach((value, q) => {
        const [at, on] = [p + top, q + left];
        if (at < 0 || at >= g.kh || on < 0 || on >= g.kw) return;
        weights[start + at * stride.row + on * stride.col] = value;
      });
    });
  }
  return weights;
}
