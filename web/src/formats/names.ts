import type { TensorName } from '../protocol/problem';

/** Which tensor of a convolution a name means. */

/** The last part of a name. After an underscore, only unmistakable words count: "fc_out" is no y. */
const BASES: readonly (readonly [RegExp, 'x' | 'w' | 'b' | 'y'])[] = [
  [/(?:^|[./_])(?:weights?|kernels?|filters?)$|(?:^|[./])w$/, 'w'],
  [/(?:^|[./_])bias$|(?:^|[./])b$/, 'b'],
  [/(?:^|[./])(?:x|inputs?|inp|images?)$/, 'x'],
  [/(?:^|[./])(?:y|outputs?|out)$/, 'y'],
];
const GRADIENTS = { x: 'dx', w: 'dw', b: 'db', y: 'dy' } as const;

/** "weight.grad" */
const GRADIENT_AFTER = /[._](?:grad|gradient)$/;
/** "grad_weight", "d_out", "dL_dw", "dy" */
const GRADIENT_BEFORE =
  /(^|[./_])(?:gradient|grad|dl)?[_/]?d?_?(?=(?:x|w|b|y|inputs?|inp|outputs?|out|weights?|kernels?|filters?|bias)$)/;

/** The tensor of a common name such as "conv1.weight", "out.grad" or "gradOutput"; null for any other name. */
export function targetOf(name: string): TensorName | null {
  const lower = name
    .replace(/:0$/, '')
    .replace(/([a-z]{2})([A-Z])/g, '$1_$2')
    .toLowerCase();
  const plain = lower.replace(GRADIENT_AFTER, '').replace(GRADIENT_BEFORE, '$1');
  const base = BASES.find(([pattern]) => pattern.test(plain))?.[1];
  if (!base) return null;
  return plain === lower ? base : GRADIENTS[base];
}

/** The name without the part that `targetOf` reads: "conv1." of "conv1.weight". */
export const layerOf = (name: string): string =>
  /^(?:.*[./])?(?=[^./]*$)/.exec(name.replace(GRADIENT_AFTER, ''))?.[0] ?? '';
