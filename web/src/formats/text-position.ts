import type { TextPosition } from './format';

/**
 * Positions in a text. Loops, not regular expressions: a pattern that skips eight million spaces overflows the stack.
 */

/** The index after spaces and # comments. */
export function skipSpace(text: string, from: number): number {
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

/** Line and column, from 1. */
export function positionAt(text: string, at: number): TextPosition {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - (before.lastIndexOf('\n') + 1) + 1 };
}
