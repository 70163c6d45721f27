import { axisSizes } from '../../geometry/sizes';
import type { ConvDesc, PaddingMode } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';

interface PaddingCardProps {
  readonly desc: ConvDesc;
  readonly onDesc: (patch: Partial<ConvDesc>) => void;
}

const PRESETS = [
  { value: 'valid', meaning: 'no padding' },
  { value: 'same', meaning: 'as many outputs as input / stride, rounded up' },
  { value: 'full', meaning: 'every window that touches x at all' },
] as const;

/** The three paddings that have names, and the output that each would give. */
export function PaddingCard({ desc, onDesc }: PaddingCardProps) {
  const options: { value: PaddingMode; label: string }[] = PRESETS.map(({ value }) => ({
    value,
    label: `${value}: ${outputsOf({ ...desc, padding_mode: value })}`,
  }));
  const chosen = PRESETS.find(({ value }) => value === desc.padding_mode);
  return (
    <section>
      <h3 class="geometry__title">Output with the usual paddings</h3>
      <Segmented
        label="padding preset"
        quiet
        options={options}
        value={desc.padding_mode}
        onChange={(mode) => onDesc({ padding_mode: mode })}
      />
      <p class="geometry__note">
        {chosen
          ? `${chosen.value}: ${chosen.meaning}.`
          : `Custom padding is in force. Its output is ${outputsOf(desc)}; a click takes one of these instead.`}
      </p>
    </section>
  );
}

/** "4 × 4", or why not. */
function outputsOf(desc: ConvDesc): string {
  const [rows, cols] = [axisSizes(desc, 'row').out, axisSizes(desc, 'col').out];
  return rows > 0 && cols > 0 ? `${rows} × ${cols}` : 'too small';
}
