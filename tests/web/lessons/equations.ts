import type { Passes } from './loops';

/** One side of an equation such as "y[2,0] = 1·1 + 1·2 = 3", with the true value of the cell. */
export interface Side {
  readonly text: string;
  readonly actual: number;
  readonly stated: number;
}

const CELL = /^(x|w|y\d?|dy\d?|dx|dw)\[(\d+),(\d+)(?:,(\d+))?(?:,(\d+))?\]$|^(b|db)\[(\d+)\]$/;

/** All numeric sides of an equation that begins with a cell. */
export function sidesOf(equation: string, passes: Passes): readonly Side[] {
  const [name = '', ...others] = equation.split(' = ');
  const cell = CELL.exec(name.trim());
  if (!cell || others.length === 0) return [];
  const [, tensor = '', first, second, third, last, flat, filter] = cell;
  // As on the page: with several images, a cell of x, y or their gradients begins with its image.
  const place =
    passes.images > 1 && !/w$/.test(tensor)
      ? [second, third, last ?? 0, first]
      : [first, second, third ?? 0, last ?? 0];
  const actual = flat ? passes.at(flat, [Number(filter)]) : passes.at(tensor, place.map(Number));
  return others.flatMap((part) => {
    const stated = evaluate(part);
    return stated === null ? [] : [{ text: equation, actual, stated }];
  });
}

/** Value of a sum of products of numbers; null for any other text. */
function evaluate(text: string): number | null {
  const plain = text.replaceAll('−', '-').replaceAll('·', '*').replaceAll(' ', '');
  if (!/^[\d.*/+()-]+$/.test(plain)) return null;
  let rest = plain;
  const take = (sign: string): boolean => {
    if (!rest.startsWith(sign)) return false;
    rest = rest.slice(1);
    return true;
  };
  const factor = (): number => {
    if (take('-')) return -factor();
    if (take('(')) {
      const inside = sum();
      if (!take(')')) throw new Error(`")" is missing in ${text}`);
      return inside;
    }
    const number = /^\d+(?:\.\d+)?/.exec(rest)?.[0];
    if (number === undefined) throw new Error(`a number is missing in ${text}`);
    rest = rest.slice(number.length);
    return Number(number);
  };
  const product = (): number => {
    let value = factor();
    for (;;) {
      if (take('*')) value *= factor();
      else if (take('/')) value /= factor();
      else return value;
    }
  };
  const sum = (): number => {
    let value = product();
    for (;;) {
      if (take('+')) value += product();
      else if (take('-')) value -= product();
      else return value;
    }
  };
  const value = sum();
  if (rest !== '') throw new Error(`"${rest}" cannot be parsed in ${text}`);
  return value;
}

/** All formulas in a text. */
export const formulasIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, inside]) => inside ?? '');
