import * as fc from 'fast-check';
import type { LinkContent } from '../../../web/src/link/field';
import { MOST_NAME, printable } from '../../../web/src/link/look-fields';
import { HIDEABLE, LOCKABLE, type Look, MODES, SIDE_IDS, type ViewState } from '../../../web/src/look/look';
import { LOSS_KINDS } from '../../../web/src/losses/list';
import { type Cell, type ConvDesc, PASSES, type Shape, type TensorKind } from '../../../web/src/protocol/problem';
import { bShape, shapeSize, wShape, xShape, yShape } from '../../../web/src/protocol/shapes';
import { oneHot } from '../../../web/src/sources/distribution';
import { FILTER_NAMES } from '../../../web/src/sources/generators';
import { generated, type InputTensor } from '../../../web/src/sources/inputs';
import { given, type Loss } from '../../../web/src/sources/loss';
import { SAMPLE_NAMES, type TensorSource } from '../../../web/src/sources/tensor-sources';
import { problemOfLayer } from '../../../web/src/state/problem';
import { arbitraryDesc, GRIDS } from '../geometry/arbitrary-geometry';

/** Every state that a link can contain completely. */

/** Arbitrary bits; special values more often. */
const float: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, 2 ** -149, -(2 ** -130)),
  fc.constantFrom(127, -127, 128, 32767, -32768, 0.1).map(Math.fround),
  fc.float(),
);
const double = fc.oneof(fc.constantFrom(-0, 5e-324, 1e21, 0.1), fc.double({ noNaN: false }));
const text = fc.oneof(
  fc.constantFrom('a~b', '100%', 'a,b', 'a&b=c#d', 'my cat.png', 'ä'),
  fc.string({ unit: 'binary' }),
);

/** Text without control characters, on one line. */
const name = text.map((any) => printable(any, MOST_NAME)).filter((any) => any !== '');

const generator = (tensor: 'x' | 'w' | 'b'): fc.Arbitrary<TensorSource> =>
  fc.oneof(
    fc.record({ kind: fc.constant('ramp' as const), from: double }),
    fc.record({ kind: fc.constant('countdown' as const), from: double }),
    fc.record({ kind: fc.constant('constant' as const), value: double }),
    fc.record({ kind: fc.constant('random' as const), seed: fc.maxSafeInteger() }),
    fc.constant<TensorSource>({ kind: 'impulse' }),
    ...(tensor === 'w'
      ? [fc.constantFrom(...FILTER_NAMES).map((name): TensorSource => ({ kind: 'filter', name }))]
      : []),
    ...(tensor === 'x'
      ? [fc.constantFrom(...SAMPLE_NAMES).map((name): TensorSource => ({ kind: 'sample', name }))]
      : []),
  );

const valuesOf = (shape: Shape) => {
  const length = shapeSize(shape);
  const small = fc.array(fc.integer({ min: -127, max: 127 }), { minLength: length, maxLength: length });
  const any = fc.array(float, { minLength: length, maxLength: length });
  return fc.oneof(small, any).map((values) => Float32Array.from(values));
};

function tensor(name: 'x' | 'w' | 'b', kind: TensorKind, desc: ConvDesc, shape: Shape): fc.Arbitrary<InputTensor> {
  const made = generator(name).map((source) => generated(source, kind, desc.layout, shape));
  const changed = fc.tuple(generator(name), valuesOf(shape)).map(([source, data]) => {
    return { shape, data, source, edited: true };
  });
  const opened = fc.tuple(text, valuesOf(shape), fc.boolean()).map(([file, data, edited]) => {
    return { shape, data, source: { kind: 'file', name: file } satisfies TensorSource, edited };
  });
  const brought = fc.tuple(text, valuesOf(shape), fc.boolean()).map(([from, data, edited]) => {
    return { shape, data, source: { kind: 'brought', name: from } satisfies TensorSource, edited };
  });
  return fc.oneof(made, changed, brought, ...(name === 'x' ? [opened] : []));
}

function arbitraryLoss(desc: ConvDesc): fc.Arbitrary<Loss> {
  const shape = yShape(desc);
  return fc.oneof(
    fc.constant(given({ kind: 'ones' })),
    fc.nat().map((seed) => given({ kind: 'random', seed })),
    fc.nat({ max: shapeSize(shape) - 1 }).map((index) => given({ kind: 'one_hot', index })),
    fc.nat({ max: shapeSize(shape) - 1 }).map((index) => given({ kind: 'pointed', index })),
    valuesOf(shape).map((data) => given({ kind: 'values', shape, data })),
    fc
      .tuple(fc.constantFrom(...LOSS_KINDS), fc.option(valuesOf(shape)))
      .map(([kind, target]): Loss => ({ kind, target: kind === 'cross_entropy' ? null : target })),
    fc.nat({ max: desc.k - 1 }).map((channel): Loss => {
      const target = channel === 0 ? null : oneHot(desc.layout, shape, channel);
      return { kind: 'cross_entropy', target };
    }),
  );
}

/** Padding of an inactive mode is not written. */
const tidy = (desc: ConvDesc): ConvDesc =>
  desc.padding_mode === 'explicit_sides' ? desc : { ...desc, padding: { top: 0, bottom: 0, left: 0, right: 0 } };

const problem = arbitraryDesc.map(tidy).chain((desc) =>
  fc
    .record({
      x: tensor('x', 'pixels', desc, xShape(desc)),
      w: tensor('w', 'weights', desc, wShape(desc)),
      b: fc.option(tensor('b', 'bias', desc, bShape(desc))),
      loss: arbitraryLoss(desc),
      algorithms: fc.dictionary(fc.constantFrom(...PASSES), text, { noNullPrototype: true }),
    })
    .map((inputs) => problemOfLayer(desc, inputs)),
);

const setting = fc.oneof(
  double,
  fc.boolean(),
  fc.constantFrom('5', 'true', '~', '-0', 'NaN', '1e21', 'gather'),
  text.filter((value) => value !== ''),
);
const settings: fc.Arbitrary<ViewState> = fc.dictionary(
  text.filter((name) => name !== ''),
  setting,
  { minKeys: 1, maxKeys: 4, noNullPrototype: true },
);
const cell: fc.Arbitrary<Cell> = fc.record({ tensor: fc.constantFrom(...GRIDS), index: fc.nat() });

const look: fc.Arbitrary<Look> = fc.record({
  mode: fc.constantFrom(...MODES),
  layer: fc.constant(null),
  settings: fc.dictionary(fc.constantFrom(...MODES), settings, { noNullPrototype: true }),
  pinned: fc.option(cell),
  focus: fc.record({ n: fc.nat({ max: 99 }), c: fc.nat({ max: 99 }), k: fc.nat({ max: 99 }) }),
  transfer: fc.constantFrom(null, 'linear' as const, 'root' as const),
  side: fc.constantFrom(...SIDE_IDS),
  answers: fc.option(fc.stringMatching(/^(\d{1,6}:)?[\d.+_ehmr-]{1,99}$/)),
  student: fc.option(name),
  seed: fc.option(fc.stringMatching(/^\d{1,6}(\.each)?$/)),
  date: fc.constantFrom(null, '2026-03-01T12:00Z'),
  digest: fc.option(fc.stringMatching(/^[0-9a-f]{16}$/)),
  // Their cells depend on the sizes: tests/web/lessons/hand-in.test.ts.
  questions: fc.constant([]),
  lesson: fc.option(fc.stringMatching(/^[a-z0-9-]{1,40}\.[1-9]\d?$/)),
  lecture: fc.constantFrom(null, 'words' as const),
  code: fc.option(fc.stringMatching(/^(cpp|numpy|pytorch)(\.(y|dx|dw|db)){0,2}$/)),
  controls: fc.constantFrom('open' as const, 'folded' as const),
  // Hiding an entry of C hides the weight.
  hiddenCells: fc.array(
    fc.record({ tensor: fc.constantFrom(...GRIDS.filter((name) => name !== 'C')), index: fc.option(fc.nat()) }),
    { maxLength: 3 },
  ),
  locked: fc.subarray([...LOCKABLE], { maxLength: 4 }),
  hiddenParts: fc.subarray([...HIDEABLE], { maxLength: 4 }),
});

export const arbitraryLinked: fc.Arbitrary<LinkContent> = fc.record({ problem, look });
