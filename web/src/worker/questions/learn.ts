import { checkCount, checkFinite, checkFloats, checkIndices, checkLength, refuse } from '../../engine/validate';
import { shapeSize } from '../../protocol/shapes';
import type { Answerer, Problem, QuestionContext } from '../answerer';
import { Descent } from '../descent';
import type { AnyDescent, LearnSettings } from '../history';
import { LayersDescent } from '../layers-descent';

/** The last descent of each result, to continue from. */
const DESCENTS = new WeakMap<QuestionContext['kept'], { readonly key: string; readonly descent: AnyDescent }>();

export const learn: Answerer<'learn'> = {
  fields: ['learns', 'teacher', 'fromZero', 'rate', 'batch', 'noise', 'watch', 'steps'],
  optional: ['scale'],
  answer(context, { kind: _, steps, ...settings }) {
    check(settings, context.problem);
    if (learnsAll(context)) checkAll(settings, context.problem);
    else if (settings.scale !== undefined) refuse('scale', 'only the weights of a network have a scale');
    if (checkCount(steps, 'steps') < 0) refuse('steps', 'steps must be at least 0');
    return descentOf(context, settings).at(steps);
  },
};

/** With several layers; the loss of one convolution is a parabola, and that can also learn x. */
const learnsAll = ({ heap }: QuestionContext): boolean => heap.rows.length > 1;

function check(
  { learns, teacher, fromZero, rate, batch, noise, watch }: LearnSettings,
  { geometry, shapes }: Problem,
): void {
  if (learns !== 'x' && learns !== 'w') refuse('learns', 'learns must be x or w');
  if (teacher !== null) checkLength(checkFloats(teacher, 'teacher').length, shapeSize(shapes.w), 'teacher');
  if (typeof fromZero !== 'boolean') refuse('fromZero', 'fromZero must be true or false');
  if (checkFinite(rate, 'rate') < 0) refuse('rate', `rate is ${rate}, but must not be negative`);
  if (checkCount(batch, 'batch') < 1) refuse('batch', `batch is ${batch}, but must be at least 1`);
  if (checkFinite(noise, 'noise') < 0) refuse('noise', `noise is ${noise}, but must not be negative`);
  const cells = shapeSize(shapes[learns]);
  for (const index of checkIndices(watch, 'watch')) {
    if (index < 0 || index >= cells) refuse('watch', `watch has index ${index}, but there are ${cells} cells`);
  }
  if (geometry.n === 0) refuse('x', 'the batch has no images');
}

function checkAll({ learns, teacher, fromZero, batch, noise, scale = 1 }: LearnSettings, { geometry }: Problem): void {
  if (learns !== 'w' || teacher || fromZero || batch < geometry.n || noise > 0) {
    refuse('learns', 'a network learns the weights of all layers, from all images, without a teacher and noise');
  }
  if (checkFinite(scale, 'scale') < 0) refuse('scale', `scale is ${scale}, but must not be negative`);
}

function descentOf(context: QuestionContext, settings: LearnSettings): AnyDescent {
  const key = JSON.stringify(settings, (_, value: unknown) => (ArrayBuffer.isView(value) ? String(value) : value));
  const { kept } = context;
  const last = DESCENTS.get(kept);
  if (last?.key === key) return last.descent;
  kept.end?.();
  const descent = learnsAll(context) ? new LayersDescent(context, settings) : new Descent(context, settings);
  DESCENTS.set(kept, { key, descent });
  kept.end = () => {
    DESCENTS.delete(kept);
    delete kept.end;
    descent.dispose();
  };
  return descent;
}
