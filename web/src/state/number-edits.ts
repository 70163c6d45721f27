import type { ConvDesc } from '../protocol/problem';
import { bShape, yShape } from '../protocol/shapes';
import { generated } from '../sources/inputs';
import { painted } from '../sources/upstream';
import { type Edited, editDesc, refused } from './edits';
import type { InputName, Problem } from './problem';

/** Numbers from outside, in the order of the layout, and the sizes that they bring. */
export interface Brought {
  readonly desc: Partial<ConvDesc>;
  readonly tensors: Readonly<Partial<Record<InputName, Float32Array>>>;
}

/** What cells are that numbers from outside have no value for, when the problem grows. */
const BEYOND = { kind: 'constant', value: 0 } as const;

/** Puts tensors into the problem, all at once: one step for undo. */
export function editNumbers(problem: Problem, { desc, tensors }: Brought): Edited {
  const sized = editDesc(problem, problem, desc);
  if ('error' in sized) return sized;
  const taken = { ...sized.problem };
  const { layout } = taken.desc;
  if (tensors.b) taken.b ??= generated(BEYOND, 'bias', layout, bShape(taken.desc));
  for (const name of ['x', 'w', 'b'] as const) {
    const [tensor, data] = [taken[name], tensors[name]];
    if (!tensor || !data) continue;
    if (data.length !== tensor.data.length) return refused(name, countsText(name, tensor.data.length, data.length));
    taken[name] = { ...tensor, data, source: BEYOND, edited: true };
  }
  if (tensors.dy) {
    const shape = yShape(taken.desc);
    const cells = shape.reduce((count, size) => count * size, 1);
    if (tensors.dy.length !== cells) return refused('dy', countsText('dy', cells, tensors.dy.length));
    taken.dy = painted(shape, tensors.dy);
  }
  return { problem: taken };
}

const countsText = (name: InputName, cells: number, numbers: number): string =>
  `${name} has ${cells} cells, but ${numbers} numbers were brought for it`;
