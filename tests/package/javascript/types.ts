// Compiled, never run: checks which code the types of the package accept and reject.
import {
  type AlgorithmInfo,
  type CheckOptions,
  type Conv,
  ConvFailure,
  check,
  createConv,
  type ErrorCode,
  type FileVerdict,
  type FilterValues,
  type Layer,
  type Values,
} from 'conv2d';

/** False for `any`. */
type Exactly<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export async function use(x: Values, w: Values): Promise<ErrorCode | null> {
  const conv: Conv = await createConv({ build: 'simd', threads: 1 });
  const y = conv.forward({ x, w, b: new Float32Array(1), layout: 'nchw', stride: [1, 2], padding: { top: 1 } });
  const known: Exactly<typeof y, Values> = true;
  const { dx, dw, db } = conv.backward({ x, w, dy: y });
  const ofFilters: Exactly<typeof db, FilterValues> = true;
  const some = conv.backward({ x, w, dy: y, of: ['dx'], algorithm: { dx: 'direct' }, out: { dx: dx.data } });
  const all = conv.backward({ x, w, dy: y, out: { dx: dx.data }, algorithm: { dw: 'direct' } });
  const three: Exactly<keyof typeof all, 'dx' | 'dw' | 'db'> = true;
  // @ts-expect-error: unknown option
  await createConv({ workers: 2 });
  // @ts-expect-error: unknown build
  await createConv({ build: 'fast' });
  // @ts-expect-error: the property is read-only
  conv.threads = 2;
  // @ts-expect-error: not requested
  some.dw;
  // @ts-expect-error: unknown padding
  conv.forward({ x, w, padding: 'everywhere' });
  // @ts-expect-error: an internal name of the library
  conv.forward({ x, w, padding: 'explicit_sides' });
  // @ts-expect-error: four sides need names
  conv.forward({ x, w, padding: [1, 1] });
  // @ts-expect-error: must be a number
  conv.forward({ x, w, stride: '2' });
  // @ts-expect-error: w is missing
  conv.forward({ x });
  // @ts-expect-error: y is a single array
  conv.forward({ x, w, out: { y: y.data } });
  // @ts-expect-error: dw is not computed
  conv.backward({ x, w, dy: y, of: ['dx'], out: { dw: dw.data } });
  // @ts-expect-error: dw is not computed
  conv.backward({ x, w, dy: y, of: ['dx'], algorithm: { dw: 'direct' } });
  // @ts-expect-error: each gradient has its own algorithms
  conv.backward({ x, w, dy: y, algorithm: 'direct' });
  try {
    prepared(conv, x, w);
    const computed = conv.forward({ x: dx, w: dw, b: db.data }).data.length > 0;
    return known && ofFilters && three && computed ? null : 'internal';
  } catch (thrown) {
    if (thrown instanceof ConvFailure) {
      const field: Exactly<typeof thrown.field, string> = true;
      const code: Exactly<typeof thrown.code, ErrorCode> = true;
      // @ts-expect-error: a code of the page that the package never throws
      const ofPage = thrown.code === 'image_unreadable';
      return field && code && !ofPage ? thrown.code : null;
    }
    throw thrown;
  } finally {
    conv.dispose();
  }
}

function prepared(conv: Conv, x: Values, w: Values): readonly AlgorithmInfo[] {
  using layer: Layer = conv.prepare({ x: { shape: [1, 4, 4, 2] }, w, padding: 'same', algorithm: { y: 'direct' } });
  const y = layer.forward({ x, out: new Float32Array(16) });
  const { dx } = layer.backward({ dy: y, of: ['dx'] });
  const gradients = layer.backward({ x, dy: y });
  layer.update({ w: gradients.dw, b: gradients.db.data });
  const name: string = layer.algorithm('dw');
  // @ts-expect-error: its weights are set when it is prepared
  layer.forward({ x, w });
  // @ts-expect-error: a layer has no dy gradient
  layer.algorithm('dy');
  // @ts-expect-error: an array has no shape
  layer.forward({ x: x.data });
  // @ts-expect-error: not requested
  layer.backward({ dy: y, of: ['dx'] }).db;
  // @ts-expect-error: a result must be named
  conv.algorithms({ x, w });
  return conv.algorithms({ x: dx, w, of: 'dx' }).filter((it) => it.supported && it.name !== name && it.error_bound > 0);
}

export async function judged(x: Values, db: FilterValues): Promise<string> {
  const options: CheckOptions = { stride: [1, 2], padding: { top: 1 }, learning_rate: 0.1, printed: true };
  const found: FileVerdict = await check({ x, 'conv1.db': db, y: { shape: [2], data: new Float32Array(2) } }, options);
  const known: Exactly<typeof found.verdict, 'right' | 'wrong' | 'cannot_tell'> = true;
  // @ts-expect-error: an array without a shape
  await check({ x: x.data });
  // @ts-expect-error: has no sides
  await check({ x }, { padding: 'full' });
  // @ts-expect-error: the members are read-only
  found.verdict = 'right';
  const [layer] = found.layers;
  const tensor = layer?.tensors.dw;
  return known && tensor?.verdict === 'matches' ? tensor.sentence : `${layer?.geometry?.stride} ${layer?.evidence}`;
}
