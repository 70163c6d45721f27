import type { NamedArgument } from '../src/protocol/judge';

/** One number for both axes, or [vertical, horizontal]. */
type PerAxis = number | readonly [vertical: number, horizontal: number];

/** The arguments of a layer that are known beside its arrays. */
export interface KnownArguments {
  readonly stride?: PerAxis | undefined;
  readonly dilation?: PerAxis | undefined;
  readonly groups?: number | undefined;
  /** Cells of each side, or a mode. */
  readonly padding?: 'valid' | 'same' | number | Sides | undefined;
}

interface Sides {
  readonly top?: number;
  readonly bottom?: number;
  readonly left?: number;
  readonly right?: number;
}

/** In the form of the module. Equal numbers are given once, as sentences repeat them. */
export function argumentList({ stride, dilation, groups, padding }: KnownArguments): readonly NamedArgument[] {
  const list: NamedArgument[] = [];
  const add = (name: string, values: readonly number[], text = '') => list.push({ name, values, text });
  if (stride !== undefined) add('stride', shortest(pairOf(stride)));
  if (typeof padding === 'string') add('padding', [], padding);
  else if (padding !== undefined) add('padding', shortest(sidesOf(padding)));
  if (dilation !== undefined) add('dilation', shortest(pairOf(dilation)));
  if (groups !== undefined) add('groups', [groups]);
  return list;
}

const pairOf = (value: PerAxis): readonly number[] => (typeof value === 'number' ? [value] : value);

function sidesOf(padding: number | Sides): readonly number[] {
  if (typeof padding === 'number') return [padding];
  const { top = 0, bottom = 0, left = 0, right = 0 } = padding;
  return top === bottom && left === right ? [top, left] : [top, bottom, left, right];
}

const shortest = (values: readonly number[]): readonly number[] =>
  values.every((value) => value === values[0]) ? values.slice(0, 1) : values;
