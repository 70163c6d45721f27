import { type ConvDesc, SIDES, type SizeName } from '../../protocol/problem';

/** The patch that sets several sizes to the same value. */
export function patchOf(desc: ConvDesc, names: readonly SizeName[], value: number): Partial<ConvDesc> {
  const sides = SIDES.filter((side) => names.includes(`padding.${side}`));
  const padding = { ...desc.padding, ...Object.fromEntries(sides.map((side) => [side, value])) };
  const others = Object.fromEntries(names.filter((name) => !name.startsWith('padding.')).map((name) => [name, value]));
  return sides.length > 0 ? { ...others, padding } : others;
}
