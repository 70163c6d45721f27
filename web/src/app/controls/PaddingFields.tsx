import type { ConvError } from '../../protocol/errors';
import type { ConvDesc, Padding, PaddingMode, SizeName } from '../../protocol/problem';
import { resolvePadding } from '../../protocol/shapes';
import { Segmented } from '../../ui/controls/Choice';
import { SizeFields } from './SizeFields';

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
        <SizeFields part="padding" {...{ desc, error, onChange }} />
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
