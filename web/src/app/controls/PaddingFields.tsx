import { useState } from 'preact/hooks';
import type { ConvError } from '../../protocol/errors';
import { type ConvDesc, type Padding, type PaddingMode, SIDES, type SizeName } from '../../protocol/problem';
import { resolvePadding } from '../../protocol/shapes';
import { Segmented } from '../../ui/controls/Choice';
import { DescField } from './DescField';
import { LinkedFieldsToggle } from './LinkToggle';

interface PaddingFieldsProps {
  readonly desc: ConvDesc;
  readonly error: ConvError | null;
  readonly onChange: (patch: Partial<ConvDesc>, field: SizeName | 'padding_mode') => void;
}

const MODES = [
  { value: 'valid', label: 'valid', hint: 'no padding' },
  { value: 'same', label: 'same', hint: 'output size = input size / stride, rounded up (as in TensorFlow)' },
  { value: 'full', label: 'full', hint: 'every overlap of w and x' },
  { value: 'explicit_sides', label: 'custom', hint: 'set each side' },
] as const;

export function PaddingFields({ desc, error, onChange }: PaddingFieldsProps) {
  const resolved = resolvePadding(desc);
  const { top, bottom, left, right } = desc.padding;
  const differ = top !== bottom || top !== left || top !== right;
  const [split, setSplit] = useState(false);
  const apart = differ || split;
  const common = { desc, error, onChange };
  const choose = (mode: PaddingMode) => {
    // Custom starts from the current padding.
    onChange(
      mode === 'explicit_sides' ? { padding_mode: mode, padding: resolved } : { padding_mode: mode },
      'padding_mode',
    );
  };
  return (
    <div class="padding-fields">
      <Segmented label="padding" options={MODES} value={desc.padding_mode} onChange={choose} />
      {desc.padding_mode === 'explicit_sides' ? (
        <div class="axis-fields">
          {apart ? (
            <div>
              {SIDES.map((side) => (
                <DescField key={side} {...common} field={`padding.${side}`} shortLabel={side} />
              ))}
            </div>
          ) : (
            <DescField
              {...common}
              field="padding.top"
              linked={['padding.bottom', 'padding.left', 'padding.right']}
              label="padding all sides"
              shortLabel="all sides"
            />
          )}
          <LinkedFieldsToggle
            label="padding: same on all sides"
            linked={!apart}
            onChange={(linked) => {
              setSplit(!linked);
              if (linked && differ) {
                onChange({ padding: { top, bottom: top, left: top, right: top } }, 'padding.top');
              }
            }}
          />
        </div>
      ) : (
        <p class="padding-fields__sides">{sentence(resolved)}</p>
      )}
      {error?.field === 'padding_mode' && (
        <p class="field-message" role="alert">
          {error.message}
        </p>
      )}
    </div>
  );
}

function sentence({ top, bottom, left, right }: Padding): string {
  if (top + bottom + left + right === 0) return 'No padding.';
  if (top === bottom && top === left && top === right) return `${top} on each side.`;
  return `top ${top}, bottom ${bottom}, left ${left}, right ${right}`;
}
