import * as fc from 'fast-check';
import type { LossKind } from '../../../web/src/losses/list';
import type { LayerResult } from '../../../web/src/protocol/messages';
import { type ConvDesc, PASSES, type Pass, type ResultName } from '../../../web/src/protocol/problem';
import type { Algorithms } from '../../../web/src/protocol/questions';
import { shapeSize, wShape, xShape, yShape } from '../../../web/src/protocol/shapes';
import {
  type CheckInput,
  type CheckSubject,
  checkSubject,
  type LossCheck,
  type TensorLiteral,
} from '../../../web/src/snippets/check';
import type { ConvEngine } from '../../../web/src/worker/conv-engine';
import { randomOf } from '../../e2e/support/random';
import { makeRequest, ownLayer } from '../contract/requests';
import { layerIn } from '../contract/support';
import { arbitraryDesc } from '../geometry/arbitrary-geometry';
import { SMALL, targetOf } from './networks';

/** Problems with the results of the library, as input of scripts. */

/** Values of many digits, none of them 0; every third problem has whole numbers. */
function numbersOf(count: number, seed: number): Float32Array {
  const { below, one } = randomOf(seed);
  const whole = seed % 3 === 0;
  return Float32Array.from(
    { length: count },
    () => one([-1, 1]) * (whole ? 1 + below(9) : (1 + below(2 ** 20)) / 77_777),
  );
}

/** `kind`: of the loss that computes dy; by default dy is given. */
export function givenOf(engine: ConvEngine, desc: ConvDesc, seed: number, kind?: LossKind): CheckInput {
  const dy = { kind: 'values', shape: yShape(desc), data: numbersOf(shapeSize(yShape(desc)), seed + 3) } as const;
  const target = kind && targetOf(randomOf(seed + 4), kind, { ...desc, c: desc.k }, yShape(desc));
  const scaled = (data: Float32Array) => (kind ? data.map((value) => value / SMALL) : data);
  const request = makeRequest(desc, {
    x: scaled(numbersOf(shapeSize(xShape(desc)), seed)),
    w: scaled(numbersOf(shapeSize(wShape(desc)), seed + 1)),
    b: seed % 2 === 0 ? scaled(numbersOf(desc.k, seed + 2)) : null,
    loss: target === undefined ? { kind: 'given', dy } : { kind: kind as LossKind, target },
  });
  const computed = engine.compute(request, 1);
  const result = layerIn(computed);
  const { w, b } = ownLayer(request);
  const held = (shape: readonly number[], data: unknown, stats: unknown) => ({ shape, data, stats });
  const tensors = {
    x: held(xShape(desc), request.x, result.input_stats.x),
    w: held(wShape(desc), w, result.input_stats.w),
    ...(b ? { b: held([1, 1, 1, desc.k], b, result.input_stats.b) } : {}),
    ...result.tensors,
  } as CheckInput['tensors'];
  return {
    geometry: result.geometry,
    tensors,
    computed: ranOf(result, engine.ask(1, { kind: 'algorithms' })),
    hides: false,
    loss: kind && target !== undefined ? { kind, target, value: computed.loss ?? Number.NaN } : null,
  };
}

const ranOf = ({ runs }: Pick<LayerResult, 'runs'>, algorithms: Algorithms): CheckInput['computed'] =>
  Object.fromEntries(
    PASSES.map((pass: Pass) => {
      const entry = algorithms[pass].find(({ name }) => name === runs[pass]?.algorithm);
      return [pass, entry && { algorithm: entry.name, bound: entry.error_bound }];
    }),
  );

export function subjectOf(given: CheckInput): CheckSubject {
  const subject = checkSubject(given);
  if (typeof subject === 'string') throw new Error(subject);
  return subject;
}

/** Small problems with all options, always the same. */
export const randomDescs = (count: number, seed: number): readonly ConvDesc[] =>
  fc.sample(arbitraryDesc, { seed, numRuns: count });

/** With a changed first value of a result, beyond all rounding. */
export const withWrongValue = (subject: CheckSubject, name: ResultName): CheckSubject => ({
  ...subject,
  results: subject.results.map((result) => {
    if (result.name !== name) return result;
    const data = result.numbers.data.map((value, index) => (index === 0 ? value + 1 : value));
    return { ...result, numbers: { ...result.numbers, data } };
  }),
});

/** With values of a tensor changed. */
export const changed = (given: readonly TensorLiteral[], name: string, to: (value: number) => number) =>
  given.map((one) => (one.name === name ? { ...one, data: one.data.map(to) } : one));

/** With another loss of the page, beyond all rounding. */
export const withOtherLoss = <T extends { readonly ofLoss: LossCheck | null }>(subject: T): T => ({
  ...subject,
  ofLoss: subject.ofLoss && {
    ...subject.ofLoss,
    given: changed(subject.ofLoss.given, 'page_loss', (value) => 1.001 * value + 0.001),
  },
});
