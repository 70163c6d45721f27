import { gridOf } from '../../geometry/grid';
import type { Geometry } from '../../protocol/problem';
import type { Task } from './task';

const FILES = import.meta.glob<{ readonly task: Task }>('./tasks/*.ts', { eager: true });

export interface NamedTask extends Task {
  /** The name of its file and its name in links. */
  readonly id: string;
}

/** THE LIST of tasks, in the order of the menu. */
export const TASKS: readonly NamedTask[] = Object.entries(FILES)
  .map(([path, { task }]) => ({ ...task, id: path.replace(/^.*\/|\.ts$/g, '') }))
  .sort((a, b) => a.order - b.order);

/** The link that opens a task: its problem and the Learn view. */
export const linkOf = ({ link, id }: NamedTask): string => `${link}&mode=learn&learn.task=${id}`;

/** Weights with the task's kernel in the middle of filter k, on channel k modulo the channels. */
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
