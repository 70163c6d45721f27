import { axisSizes } from '../../geometry/sizes';
import type { ConvDesc, PaddingMode } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';

interface PaddingCardProps {
  readonly desc: ConvDesc;
  readonly onDesc: (patch: Partial<ConvDesc>) => void;
}

const PRESETS = [
  { value: 'valid', meaning: 'no padding' },
  { value: 'same', meaning: 'output size = input size / stride, rounded up' },
  { value: 'full', meaning: 'every window that overlaps x' },
] as const;

/** The three named paddings, and the output size of each. */
export function PaddingCard({ desc, onDesc }: PaddingCardProps) {
  const options: { value: PaddingMode; label: string }[] = PRESETS.map(({ value }) => ({
    value,
    label: `${value}: ${outputsOf({ ...desc, padding_mode: value })}`,
  }));
  const chosen = PRESETS.find(({ value }) => value === desc.padding_mode);
  return (
    <section>
      <h3>Output of the padding presets</h3>
      <Segmented
        label="padding preset"
        quiet
        options={options}
        value={desc.padding_mode}
        onChange={(mode) => onDesc({ padding_mode: mode })}
      />
      <p class="kit__note">
        {chosen ? `${chosen.value}: ${chosen.meaning}.` : `Now: custom padding, output ${outputsOf(desc)}.`}
      </p>
    </section>
  );
}

/** "4 × 4", or "too small". */
function outputsOf(desc: ConvDesc): string {
  const [rows, cols] = [axisSizes(desc, 'row').out, axisSizes(desc, 'col').out];
  return rows > 0 && cols > 0 ? `${rows} × ${cols}` : 'too small';
}
