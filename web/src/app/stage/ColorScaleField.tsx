import { rampGradient } from '../../ui/color-scale';
import { Segmented } from '../../ui/controls/Choice';
import { mapsShown } from '../../ui/grid/heat-canvas';
import { MINUS } from '../../ui/numbers';
import { theme } from '../../ui/theme';
import type { Page } from '../page/page';
import { useCurrentView } from './current-view';

const TRANSFERS = [
  { value: 'linear', label: 'even', hint: 'color proportional to the value' },
  { value: 'root', label: 'stronger for small values', hint: 'color by the square root of the value' },
] as const;

/** How values map to colors: one key for all grids with numbers, and the choice of the transfer function. */
export function ColorScaleField({ page: { look } }: { readonly page: Page }) {
  const { show } = useCurrentView();
  const transfer = show?.model.transfer.value ?? 'linear';
  const scale = { maxAbs: 1, ramp: 'signed', transfer } as const;
  // Maps have a ramp of their own, which is below.
  const ramps = ['signed', ...(mapsShown.value > 0 ? ['map' as const] : [])] as const;
  return (
    <section class="rail__section grid tight" aria-label="Colors">
      <div
        class="color-scale row note"
        title={`Negative values are orange, positive values purple: the stronger, the nearer to the largest of their tensor.${ramps[1] ? ' Below: maps.' : ''}`}
      >
        color scale <span aria-hidden="true">{MINUS}</span>
        <span
          class="color-scale__bar"
          style={{
            backgroundImage: ramps.map((ramp) => rampGradient(theme.value, scale, ramp)).join(),
            backgroundSize: `100% ${100 / ramps.length}%`,
          }}
        />
        <span aria-hidden="true">+</span>
      </div>
      <Segmented
        label="color scale"
        quiet
        options={TRANSFERS}
        value={transfer}
        onChange={(value) => {
          look.transfer.value = value;
        }}
      />
    </section>
  );
}
