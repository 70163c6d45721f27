import type { ConvDesc } from '../protocol/problem';
import { bShape, yShape } from '../protocol/shapes';
import type { InputName } from '../protocol/tensors';
import { painted } from '../sources/dy-sources';
import { generated } from '../sources/inputs';
import { type EditResult, editDesc, refused } from './edits';
import type { Problem } from './problem';

/** Imported values, in the order of the layout, and their sizes. */
export interface ImportedTensors {
  readonly desc: Partial<ConvDesc>;
  readonly tensors: Readonly<Partial<Record<InputName, Float32Array>>>;
  /** Name of the file or array; '' for pasted values. */
  readonly name: string;
}

/** Sets all imported tensors in one undo step. */
export function editNumbers(problem: Problem, { desc, tensors, name: from }: ImportedTensors): EditResult {
  const sized = editDesc(problem, problem, desc);
  if ('error' in sized) return sized;
  const taken = { ...sized.problem };
  const { layout } = taken.desc;
  const source = { kind: 'brought', name: from } as const;
  if (tensors.b) taken.b ??= generated(source, 'bias', layout, bShape(taken.desc));
  for (const name of ['x', 'w', 'b'] as const) {
    const [tensor, data] = [taken[name], tensors[name]];
    if (!tensor || !data) continue;
    if (data.length !== tensor.data.length) return refused(name, countsText(name, tensor.data.length, data.length));
    taken[name] = { ...tensor, data, source, edited: false };
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
  `${name} has ${cells} cells, but the import has ${numbers} values`;
