import type { Passes } from './loops';

/** "y[2,0] = 1·1 + 1·2 = 3": what a text says a cell is, part by part. */
export interface Said {
  readonly text: string;
  readonly is: number;
  readonly said: number;
}

const CELL = /^(x|w|y|dy|dx|dw)\[(\d+),(\d+)(?:,(\d+))?(?:,(\d+))?\]$|^(b|db)\[(\d+)\]$/;

/** Each part of an equation that begins with a cell and whose other parts are numbers, as a sum of products. */
export function saidOf(equation: string, passes: Passes): readonly Said[] {
  const [first = '', ...others] = equation.split(' = ');
  const cell = CELL.exec(first.trim());
  if (!cell || others.length === 0) return [];
  const [, tensor, row, col, channel, last, flat, filter] = cell;
  const is = flat
    ? passes.at(flat, [Number(filter)])
    : passes.at(tensor ?? '', [row, col, channel ?? 0, last ?? 0].map(Number));
  return others.flatMap((part) => {
    const said = worth(part);
    return said === null ? [] : [{ text: equation, is, said }];
  });
}

/** What a sum of products of numbers comes to; null for what is none. */
function worth(text: string): number | null {
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
    if (number === undefined) throw new Error(`no number where one should be in ${text}`);
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
  if (rest !== '') throw new Error(`"${rest}" is left over of ${text}`);
  return value;
}

/** Everything in a text that is set as a formula. */
export const formulasIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, inside]) => inside ?? '');
