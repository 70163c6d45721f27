// Compiled, never run: what the types of the package let through, and what they refuse.
import { type Conv, ConvFailure, createConv, type ErrorCode, type Values } from 'conv2d';

/** Never true of `any`. */
type Exactly<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export async function use(x: Values, w: Values): Promise<ErrorCode | null> {
  const conv: Conv = await createConv({ build: 'simd', threads: 1 });
  const y = conv.forward({ x, w, b: new Float32Array(1), layout: 'nchw', stride: [1, 2], padding: { top: 1 } });
  const known: Exactly<typeof y, Values> = true;
  const { dx, dw, db } = conv.backward({ x, w, dy: y });
  const some = conv.backward({ x, w, dy: y, of: ['dx'] });
  // @ts-expect-error: there is no such option
  await createConv({ workers: 2 });
  // @ts-expect-error: what it computes on is not to be changed
  conv.threads = 2;
  // @ts-expect-error: it was not asked for
  some.dw;
  // @ts-expect-error: there is no such padding
  conv.forward({ x, w, padding: 'everywhere' });
  // @ts-expect-error: w is missing
  conv.forward({ x });
  try {
    return known && conv.forward({ x: dx, w: dw, b: db.data }).data.length > 0 ? null : 'internal';
  } catch (thrown) {
    if (thrown instanceof ConvFailure) return thrown.code;
    throw thrown;
  } finally {
    conv.dispose();
  }
}
