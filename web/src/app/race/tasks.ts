import type { ConvDesc } from '../../protocol/problem';
import type { RaceResult, RaceTask } from '../../protocol/race';
import { shapeSize, wShape, xShape, yShape } from '../../protocol/shapes';

/** Multiply-adds of a pass, padding taps included. */
const multiplyAdds = (desc: ConvDesc): number => shapeSize(yShape(desc)) * (desc.c / desc.groups) * desc.kh * desc.kw;

/** The part of a result that follows from the task; a link does not contain it. */
export function withoutEntries(task: RaceTask): RaceResult {
  const { desc, pass } = task;
  const [x, w, y] = [xShape(desc), wShape(desc), yShape(desc)].map(shapeSize) as [number, number, number];
  const bias = pass === 'backward_bias';
  const floats = bias ? y + desc.k : x + w + y + (pass === 'forward' ? desc.k : 0);
  return {
    ...task,
    flops: bias ? y : 2 * multiplyAdds(desc),
    bytes: 4 * floats,
    x_col_bytes: (4 * y * desc.c * desc.kh * desc.kw) / desc.k,
    entries: [],
    refusal: '',
  };
}
