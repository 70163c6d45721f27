import { boundsOf } from '../../geometry/sizes';
import type { ConvError } from '../../protocol/errors';
import { type ConvDesc, SIDES, type SizeName } from '../../protocol/problem';
import { flat } from '../../protocol/shapes';
import { SIZES } from '../../protocol/size-table';
import { type NumberBounds, NumberField } from '../../ui/controls/NumberField';

export interface DescFieldProps {
  readonly desc: ConvDesc;
  readonly field: SizeName;
  /** Further fields that get the same value: the other axis, or the other three sides. */
  readonly linked?: readonly SizeName[];
  readonly label?: string;
  readonly shortLabel?: string | undefined;
  /** The last error of the library or the store, for any field. */
  readonly error: ConvError | null;
  readonly onChange: (patch: Partial<ConvDesc>, field: SizeName) => void;
}

/** One number of ConvDesc: label, bounds with reasons, slider, and its error. */
export function DescField({ desc, field, linked = [], label, shortLabel, error, onChange }: DescFieldProps) {
  const fields = [field, ...linked];
  const size = SIZES[field];
  const ownError = error && fields.some((name) => name === error.field) ? error.message : null;
  return (
    <NumberField
      label={label ?? size.label}
      field={field}
      shortLabel={shortLabel}
      value={flat(desc)[field]}
      bounds={tightest(fields.map((name) => boundsOf(desc, name)))}
      sliderMax={size.slider}
      error={ownError}
      onChange={(value) => onChange(patchOf(desc, fields, value), field)}
    />
  );
}

/** The intersection of the bounds of several fields, with reasons. */
function tightest(all: readonly NumberBounds[]): NumberBounds {
  return all.reduce((a, b) => ({
    min: Math.max(a.min, b.min),
    minReason: b.min > a.min ? b.minReason : a.minReason,
    max: Math.min(a.max, b.max),
    maxReason: b.max < a.max ? b.maxReason : a.maxReason,
    values: a.values ?? b.values,
  }));
}

/** The patch that sets several sizes to the same value. */
export function patchOf(desc: ConvDesc, names: readonly SizeName[], value: number): Partial<ConvDesc> {
  const sides = SIDES.filter((side) => names.includes(`padding.${side}`));
  const padding = { ...desc.padding, ...Object.fromEntries(sides.map((side) => [side, value])) };
  const others = Object.fromEntries(names.filter((name) => !name.startsWith('padding.')).map((name) => [name, value]));
  return sides.length > 0 ? { ...others, padding } : others;
}
