import { checkLength, refuse } from '../../engine/validate';
import { shapeSize } from '../../protocol/shapes';
import type { Answerer, QuestionContext } from '../answerer';
import { Descent } from '../descent';
import type { LearnSettings } from '../history';

/** The last descent of each result, to continue from. */
const DESCENTS = new WeakMap<QuestionContext['kept'], { readonly key: string; readonly descent: Descent }>();

export const learn: Answerer<'learn'> = {
  answer(context, { kind: _, steps, ...settings }) {
    check(settings, context);
    if (steps < 0) refuse('steps', 'steps must be at least 0');
    return descentOf(context, settings).at(steps);
  },
};

function check(
  { learns, teacher, scale, rate, batch, noise, watch }: LearnSettings,
  { problem: { geometry, shapes }, heap: { rows } }: QuestionContext,
): void {
  const weights = rows.reduce((sum, { w_size }) => sum + w_size, 0);
  if (teacher !== null) checkLength(teacher.weights.length, weights, 'teacher.weights');
  if (!(scale >= 0)) refuse('scale', `scale is ${scale}, but must not be negative`);
  if (!(rate >= 0)) refuse('rate', `rate is ${rate}, but must not be negative`);
  if (batch < 1) refuse('batch', `batch is ${batch}, but must be at least 1`);
  if (!(noise >= 0)) refuse('noise', `noise is ${noise}, but must not be negative`);
  const cells = shapeSize(shapes[learns]);
  for (const index of watch) {
    if (index < 0 || index >= cells) refuse('watch', `watch has index ${index}, but there are ${cells} cells`);
  }
  if (geometry.n === 0) refuse('x', 'the batch has no images');
}

function descentOf(context: QuestionContext, settings: LearnSettings): Descent {
  const key = JSON.stringify(settings, (_, value: unknown) => (ArrayBuffer.isView(value) ? String(value) : value));
  const { kept } = context;
  const last = DESCENTS.get(kept);
  if (last?.key === key) return last.descent;
  kept.end?.();
  const descent = new Descent(context, settings);
  DESCENTS.set(kept, { key, descent });
  kept.end = () => {
    DESCENTS.delete(kept);
    delete kept.end;
    descent.dispose();
  };
  return descent;
}
