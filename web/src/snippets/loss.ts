import type { Dialect } from '../layers/view';
import { LOSS_CODE } from '../losses/code';
import { isPerPosition, type LossKind } from '../losses/list';
import type { LossValue } from '../protocol/messages';
import type { Geometry, Shape } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import { oneHot } from '../sources/distribution';
import type { LargestSum, TensorLiteral } from './check';
import { fill } from './snippet';

/** The loss that dy is the gradient of, in code. */

/** A loss with the data of its check. */
export interface LossCheck {
  readonly kind: LossKind;
  /** target, and page_loss, which has no axes. */
  readonly given: readonly TensorLiteral[];
  /** Of page_loss and of dy, which has the name `dy`: |page - exact| <= (bound + 1) * 2^-24 * the largest sum. */
  readonly sums: (dy: string) => readonly (LargestSum & { readonly name: string; readonly bound: number })[];
}

const targetOf = ({ kind, target }: LossValue, { layout }: Pick<Geometry, 'layout'>, shape: Shape): Float32Array =>
  target ?? (isPerPosition(kind) ? oneHot(layout, shape, 0) : new Float32Array(shapeSize(shape)));

/** What the sums of a loss are divided by. */
export const countOf = (kind: LossKind, shape: Shape, channels: number): number =>
  shapeSize(shape) / (isPerPosition(kind) ? channels : 1);

/** Additions in a row: pairwise, with 16 in each of 8 sums at the end (losses/terms.hpp), and some roundings of a term. */
const BOUND_OF_SUM = 48;

/** `shape`: of y. Null: dy is given. */
export function lossCheck(loss: LossValue | null, g: Pick<Geometry, 'layout'>, shape: Shape): LossCheck | null {
  if (!loss) return null;
  const kind = loss.kind as LossKind;
  const count = countOf(kind, shape, g.layout === 'nhwc' ? shape[3] : shape[1]);
  const { slopeUpToOne, subtractsLogarithms } = LOSS_CODE[kind];
  return {
    kind,
    given: [
      { name: 'target', sizes: shape, data: targetOf(loss, g, shape) },
      { name: 'page_loss', sizes: [], data: Float32Array.of(loss.value) },
    ],
    sums: (dy) => [
      {
        ...{ name: 'page_loss', bound: BOUND_OF_SUM, products: 1 },
        ...(subtractsLogarithms ? { of: [], plus: 'page_loss' } : { of: ['page_loss'], plus: null }),
      },
      { name: dy, bound: 3, plus: null, products: 1, ...(slopeUpToOne ? { over: count, of: [] } : { of: [dy] }) },
    ],
  };
}

/** Lines that compute the loss, and with NumPy also dy. */
export const lossText = (id: Dialect, kind: LossKind, { layout }: Pick<Geometry, 'layout'>, names: LossNames): string =>
  fill(LOSS_CODE[kind][id], {
    ...{ y: names.y, dy: names.dy, axis: layout === 'nhwc' ? 3 : 1 },
    channels_first: layout === 'nhwc' ? '.permute(0, 3, 1, 2)' : '',
  });

type LossNames = Readonly<Record<'y' | 'dy', string>>;
