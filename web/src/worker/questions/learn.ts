import { ConvFailure } from '../../engine/failure';
import type { SessionHeap } from '../../engine/session-heap';
import { checkCount, checkFinite, checkFloats, checkIndices, checkLength } from '../../engine/validate';
import { shapeSize } from '../../protocol/shapes';
import type { Answerer, Asked, Problem } from '../answerer';
import { Descent, type Settings } from '../descent';

interface Held {
  /** Every compute makes another. */
  readonly problem: Problem;
  readonly key: string;
  readonly descent: Descent;
}

/** The last descent beside each session, to go on from. */
const HELD = new WeakMap<SessionHeap, Held>();

export const answerer: Answerer<'learn'> = {
  fields: ['learns', 'teacher', 'rate', 'batch', 'noise', 'watch', 'steps'],
  answer(asked, { kind: _, steps, ...settings }) {
    check(settings, asked.problem);
    if (checkCount(steps, 'steps') < 0) refuse('steps', 'there are no fewer than 0 steps');
    return descentOf(asked, settings).at(steps);
  },
};

function refuse(field: string, message: string): never {
  throw new ConvFailure('invalid_argument', field, message);
}

function check(
  { learns, teacher, rate, batch, noise, watch }: Settings,
  { geometry, w_shape, x_shape }: Problem,
): void {
  if (learns !== 'x' && learns !== 'w') refuse('learns', 'learns must be x or w');
  if (teacher !== null) checkLength(checkFloats(teacher, 'teacher').length, shapeSize(w_shape), 'teacher');
  if (checkFinite(rate, 'rate') < 0) refuse('rate', `rate is ${rate}: a negative one would climb`);
  if (checkCount(batch, 'batch') < 1) refuse('batch', `batch is ${batch}, but a step looks at one image at least`);
  if (checkFinite(noise, 'noise') < 0) refuse('noise', `noise is ${noise}, but must not be negative`);
  const cells = shapeSize(learns === 'x' ? x_shape : w_shape);
  for (const index of checkIndices(watch, 'watch')) {
    if (index < 0 || index >= cells) refuse('watch', `watch names cell ${index} of ${cells}`);
  }
  if (geometry.n === 0) refuse('x', 'there is no image to learn from');
}

function descentOf(asked: Asked, settings: Settings): Descent {
  const key = JSON.stringify(settings, (_, value: unknown) => (ArrayBuffer.isView(value) ? String(value) : value));
  const held = HELD.get(asked.heap);
  if (held?.problem === asked.problem && held.key === key) return held.descent;
  held?.descent.dispose();
  HELD.delete(asked.heap);
  const descent = new Descent(asked, settings);
  HELD.set(asked.heap, { problem: asked.problem, key, descent });
  return descent;
}
