import { useState } from 'preact/hooks';
import { boundsOf } from '../../geometry/sizes';
import { type ConvDesc, type ConvError, type Padding, SIDES, type SizeName } from '../../protocol/problem';
import { flat, paddingName, resolvePadding } from '../../protocol/shapes';
import { SIZES, type SizePart, sizesOf } from '../../protocol/size-table';
import { Segmented } from '../../ui/controls/Choice';
import { type NumberBounds, NumberField } from '../../ui/controls/NumberField';
import { LINES } from '../page/icons';

interface DescProps {
  readonly desc: ConvDesc;
  /** The last error of the library or the store, for any field. */
  readonly error: ConvError | null;
  readonly onChange: (patch: Partial<ConvDesc>, field: SizeName | 'padding_mode') => void;
}

export const FieldError = ({ error }: { readonly error: ConvError | null | undefined }) =>
  error ? (
    <p class="field-message" role="alert">
      {error.message}
    </p>
  ) : null;

const MODES = [
  { value: 'valid', label: 'valid', hint: 'no padding' },
  { value: 'same', label: 'same', hint: 'output size = input size / stride, rounded up (as in TensorFlow)' },
  { value: 'full', label: 'full', hint: 'every overlap of w and x' },
  { value: 'explicit_sides', label: 'custom', hint: 'set each side' },
] as const;

export function PaddingFields({ desc, error, onChange }: DescProps) {
  const padding = resolvePadding(desc);
  const [custom, setCustom] = useState(false);
  return (
    <div class="padding-fields grid tight">
      <Segmented
        label="padding"
        options={MODES}
        value={custom ? desc.padding_mode : paddingName(desc)}
        // Custom starts from the current padding.
        onChange={(mode) => {
          const sides = mode === 'explicit_sides';
          setCustom(sides);
          onChange({ padding_mode: mode, ...(sides && { padding }) }, 'padding_mode');
        }}
      />
      {desc.padding_mode === 'explicit_sides' ? (
        <SizeFields part="padding" {...{ desc, error, onChange }} />
      ) : (
        <p class="padding-fields__sides note">{sentence(padding)}</p>
      )}
      <FieldError error={error?.field === 'padding_mode' ? error : null} />
    </div>
  );
}

function sentence({ top, bottom, left, right }: Padding): string {
  if (top + bottom + left + right === 0) return 'No padding.';
  if (top === bottom && top === left && top === right) return `${top} on each side.`;
  return `top ${top}, bottom ${bottom}, left ${left}, right ${right}`;
}

/** The numbers of a part: one field while all are equal, unless the user splits it. */
export function SizeFields({ part, ...common }: DescProps & { readonly part: SizePart }) {
  const { desc, onChange } = common;
  const [split, setSplit] = useState(false);
  const [first, ...rest] = sizesOf(part).map(({ name }) => name);
  if (!first) return null;
  if (rest.length === 0) return <DescField {...common} field={first} />;
  const values = flat(desc);
  const differ = rest.some((name) => values[name] !== values[first]);
  const apart = differ || split;
  const ofSides = part === 'padding';
  return (
    <div class="axis-fields grid tight">
      {apart ? (
        <div>
          {[first, ...rest].map((name) => (
            <DescField key={name} {...common} field={name} shortLabel={name.split('.')[1]} />
          ))}
        </div>
      ) : (
        <DescField
          {...common}
          field={first}
          linked={rest}
          label={ofSides ? 'padding all sides' : part}
          shortLabel={ofSides ? 'all sides' : undefined}
        />
      )}
      <LinkedFieldsToggle
        label={ofSides ? 'padding: same on all sides' : `${part}: same for height and width`}
        linked={!apart}
        onChange={(linked) => {
          setSplit(!linked);
          if (linked && differ) onChange(patchOf(desc, rest, values[first]), first);
        }}
      />
    </div>
  );
}

interface DescFieldProps extends DescProps {
  readonly field: SizeName;
  /** Further fields that get the same value: the other axis, or the other three sides. */
  readonly linked?: readonly SizeName[];
  readonly label?: string;
  readonly shortLabel?: string | undefined;
}

/** One number of ConvDesc: label, bounds with reasons, slider, and its error. */
function DescField({ desc, field, linked = [], label, shortLabel, error, onChange }: DescFieldProps) {
  const fields = [field, ...linked];
  const size = SIZES[field];
  return (
    <NumberField
      label={label ?? size.label}
      field={field}
      shortLabel={shortLabel}
      value={flat(desc)[field]}
      bounds={fields.map((name) => boundsOf(desc, name)).reduce(tighter)}
      sliderMax={size.slider}
      error={fields.some((name) => name === error?.field) ? error?.message : null}
      onChange={(value) => onChange(patchOf(desc, fields, value), field)}
    />
  );
}

/** The intersection of two bounds, with reasons. */
const tighter = (a: NumberBounds, b: NumberBounds): NumberBounds => ({
  min: Math.max(a.min, b.min),
  minReason: b.min > a.min ? b.minReason : a.minReason,
  max: Math.min(a.max, b.max),
  maxReason: b.max < a.max ? b.maxReason : a.maxReason,
  values: a.values ?? b.values,
});

/** The patch that sets several sizes to the same value. */
function patchOf(desc: ConvDesc, names: readonly SizeName[], value: number): Partial<ConvDesc> {
  const sides = SIDES.filter((side) => names.includes(`padding.${side}`));
  const padding = { ...desc.padding, ...Object.fromEntries(sides.map((side) => [side, value])) };
  const others = Object.fromEntries(names.filter((name) => !name.startsWith('padding.')).map((name) => [name, value]));
  return sides.length > 0 ? { ...others, padding } : others;
}

interface LinkedFieldsToggleProps {
  readonly label: string;
  readonly linked: boolean;
  readonly onChange: (linked: boolean) => void;
}

/** Toggle for linked fields: a closed or an open chain link. */
const LinkedFieldsToggle = ({ label, linked, onChange }: LinkedFieldsToggleProps) => (
  <button
    type="button"
    class="link-toggle lit"
    aria-label={label}
    aria-pressed={linked}
    title={label}
    onClick={() => onChange(!linked)}
  >
    <svg {...LINES} width="14" height="18" viewBox="0 0 14 18" stroke-width="1.6" aria-hidden="true">
      <path d="M4 7.5V5a3 3 0 0 1 6 0v2.5M4 10.5V13a3 3 0 0 0 6 0v-2.5" />
      {linked && <path d="M7 6v6" />}
    </svg>
  </button>
);
