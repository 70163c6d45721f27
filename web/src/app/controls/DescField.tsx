import { type BoundedField, boundsOf } from '../../geometry/bounds';
import type { ConvError } from '../../protocol/errors';
import type { ConvDesc } from '../../protocol/problem';
import { type NumberBounds, NumberField } from '../../ui/controls/NumberField';
import { FIELDS, fieldValue, patchOf } from './fields';

export interface DescFieldProps {
  readonly desc: ConvDesc;
  readonly field: BoundedField;
  /** Further fields that get the same value: the other axis, or the other three sides. */
  readonly linked?: readonly BoundedField[];
  readonly label?: string;
  readonly shortLabel?: string;
  /** The last error of the library or the store, for any field. */
  readonly error: ConvError | null;
  readonly onChange: (patch: Partial<ConvDesc>, field: BoundedField) => void;
}

/** One number of ConvDesc: label, bounds with reasons, slider, and its error. */
export function DescField({ desc, field, linked = [], label, shortLabel, error, onChange }: DescFieldProps) {
  const fields = [field, ...linked];
  const text = FIELDS[field];
  const ownError = error && fields.some((name) => name === error.field) ? error.message : null;
  return (
    <NumberField
      label={label ?? text.label}
      field={field}
      shortLabel={shortLabel}
      value={fieldValue(desc, field)}
      bounds={tightest(fields.map((name) => boundsOf(desc, name)))}
      sliderMax={text.sliderMax}
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
