import type { Dialect } from '../layers/view';
import { LOSS_CODE } from '../losses/code';
import type { LossKind } from '../losses/list';
import type { Geometry } from '../protocol/problem';
import { fill } from './snippet';

/** The loss that dy is the gradient of, in code. */

/** Lines that compute the loss, and with NumPy also dy. */
export const lossText = (id: Dialect, kind: LossKind, { layout }: Pick<Geometry, 'layout'>, names: LossNames): string =>
  fill(LOSS_CODE[kind][id], {
    ...{ y: names.y, dy: names.dy, axis: layout === 'nhwc' ? 3 : 1 },
    channels_first: layout === 'nhwc' ? '.permute(0, 3, 1, 2)' : '',
  });

type LossNames = Readonly<Record<'y' | 'dy', string>>;
