import type { Place } from './format';

/** Where one stands in a text. Loops, not patterns: a pattern that may skip eight million spaces runs out of stack. */

/** Behind spaces and comments that begin with #. */
export function behindSpace(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 0xa0 || code === 0xfeff) continue;
    if (code !== 35) break;
    const end = text.indexOf('\n', at);
    at = end === -1 ? text.length - 1 : end;
  }
  return at;
}

/** Line and column as editors count them. */
export function placeAt(text: string, at: number): Place {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - (before.lastIndexOf('\n') + 1) + 1 };
}
