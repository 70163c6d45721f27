import type { ConvError } from '../protocol/errors';
import { flat } from '../protocol/shapes';
import { PARTS, type SizePart, sizesOf } from '../protocol/size-table';
import { dyEntry } from '../sources/dy-sources';
import type { Problem } from './problem';

/** Refuses edits of locked parts (look/parts.ts). */

const isSize = (part: string): part is SizePart => part in PARTS;

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

function isChanged(part: string, before: Problem, after: Problem): boolean {
  if (isSize(part)) {
    const [old, now] = [flat(before.desc), flat(after.desc)];
    const isOther = part === 'padding' && old.padding_mode !== now.padding_mode;
    return isOther || sizesOf(part).some(({ name }) => old[name] !== now[name]);
  }
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
};

const nameOf = (part: string): string => (isSize(part) ? sizesOf(part)[0]?.noun : NAMES[part]) ?? `the ${part}`;

/** null: the edit is allowed. `exercise`: an exercise is running. */
export function lockError(
  locked: readonly string[],
  before: Problem,
  after: Problem,
  exercise = false,
): ConvError | null {
  const part = locked.find((name) => isChanged(name, before, after));
  if (part === undefined) return null;
  const message = `${nameOf(part)} cannot be changed: ${exercise ? 'an exercise is running' : 'locked by this link'}`;
  return { code: 'invalid_argument', field: '', message };
}
