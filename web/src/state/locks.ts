import type { ConvError } from '../protocol/errors';
import type { ConvDesc } from '../protocol/problem';
import { dyEntry } from '../sources/dy-sources';
import type { Problem } from './problem';

/** Refuses edits of locked parts (look/parts.ts). */

type Sizes = readonly (keyof ConvDesc)[];

const SIZES: Readonly<Record<string, Sizes>> = {
  padding: ['padding_mode', 'padding'],
  stride: ['stride_h', 'stride_w'],
  dilation: ['dilation_h', 'dilation_w'],
  height: ['h'],
  width: ['w'],
  channels: ['c'],
  batch: ['n'],
  kernel: ['kh', 'kw'],
  filters: ['k'],
  groups: ['groups'],
};

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

function isChanged(part: string, before: Problem, after: Problem): boolean {
  const sizes = SIZES[part];
  if (sizes) return sizes.some((size) => !isSame(before.desc[size], after.desc[size]));
  const resized = !isSame(before.desc, after.desc);
  if (part === 'dy') {
    if (before.dy === after.dy) return false;
    // dy is resized with y.
    if (resized) return before.dy.kind !== after.dy.kind;
    return dyEntry(before.dy) !== dyEntry(after.dy) || !isSame(before.dy, after.dy);
  }
  if (part !== 'x' && part !== 'w' && part !== 'b') return false;
  const [old, now] = [before[part], after[part]];
  if (old === now) return false;
  if (!old || !now || old.edited !== now.edited || !isSame(old.source, now.source)) return true;
  return !resized && old.data !== now.data;
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ x: 'the values of x', w: 'the values of w', b: 'the bias', dy: 'the values of dy' },
  ...{ channels: 'the number of channels', filters: 'the number of filters', groups: 'the number of groups' },
  ...{ batch: 'the batch', height: 'the height', width: 'the width', kernel: 'the kernel size' },
};

/** null: the edit is allowed. `exercise`: an exercise is running. */
export function lockError(
  locked: readonly string[],
  before: Problem,
  after: Problem,
  exercise = false,
): ConvError | null {
  const part = locked.find((name) => isChanged(name, before, after));
  if (part === undefined) return null;
  const message = `${NAMES[part] ?? `the ${part}`} cannot be changed: ${exercise ? 'an exercise is running' : 'locked by this link'}`;
  return { code: 'invalid_argument', field: '', message };
}
