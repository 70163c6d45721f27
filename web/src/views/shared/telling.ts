import { cellAt, gridOf, type Position } from '../../geometry/grid';
import type { Content } from '../../protocol/messages';
import type { ProcessName, TensorName } from '../../protocol/problem';
import { magnitudeOf } from '../../ui/magnitude';

/** The sizes and values that decide what a view opens on. */
export type Subject = Pick<Content, 'geometry' | 'tensors'>;

/**
 * The position that a view opens on: the cell of y that dy points at, if it points at one; else the largest magnitude of the tensor in
 * its first plane that is not all 0, of equal ones the nearest to the middle. NaN (hidden) counts as 0.
 */
export function tellingPosition({ geometry: g, tensors }: Subject, tensor: TensorName): Position {
  const isPointed = tensor === 'y' && tensors.dy?.data.filter((value) => value !== 0).length === 1;
  const values = tensors[isPointed ? 'dy' : tensor]?.data;
  const { size, stride } = gridOf(g, tensor);
  let [most, nearest] = [0, Number.POSITIVE_INFINITY];
  let telling: Position = { slice: 0, row: size.row >> 1, col: size.col >> 1, channel: 0 };
  for (let plane = 0; plane < size.slice * size.channel && most === 0; plane += 1) {
    const [slice, channel] = [Math.floor(plane / size.channel), plane % size.channel];
    for (let spot = 0; spot < size.row * size.col; spot += 1) {
      const [row, col] = [Math.floor(spot / size.col), spot % size.col];
      const index = slice * stride.slice + row * stride.row + col * stride.col + channel * stride.channel;
      const magnitude = magnitudeOf(values?.[index] ?? 0);
      const away = Math.abs(2 * row + 1 - size.row) + Math.abs(2 * col + 1 - size.col);
      if (magnitude > most || (magnitude > 0 && magnitude === most && away < nearest))
        [most, nearest, telling] = [magnitude, away, { slice, row, col, channel }];
    }
  }
  return telling;
}

/** The same as a flat index. */
export const tellingIndex = (of: Subject, tensor: TensorName): number =>
  cellAt(of.geometry, tensor, tellingPosition(of, tensor))?.index ?? 0;

/** The tensors with a cell for each step of a process, where it is not dy. */
const CELLS: Readonly<Partial<Record<ProcessName, 'dx' | 'dw'>>> = {
  ...{ dx_gather: 'dx', dx_full_conv: 'dx', dx_full_conv_unflipped: 'dx', dw_dilated_dy: 'dw' },
};

/** The number of steps of a process at which its player opens. A step of dw adds up all images and filters. */
export function tellingSteps(of: Subject, process: ProcessName): number {
  const tensor = CELLS[process] ?? 'dy';
  const { size } = gridOf(of.geometry, tensor === 'dw' ? 'dw_uncropped' : tensor);
  const { slice, row, col } = tellingPosition(of, tensor);
  return ((tensor === 'dw' ? 0 : slice * size.row) + row) * size.col + col + 1;
}
