import { rampGradient } from '../../ui/color-scale';
import { Segmented } from '../../ui/controls/Choice';
import { MINUS } from '../../ui/numbers';
import { theme } from '../../ui/theme';
import type { Page } from '../page/page';
import { useCurrentView } from './current-view';
import './color-scale.css';

const TRANSFERS = [
  { value: 'linear', label: 'linear', hint: 'color proportional to the value' },
  { value: 'root', label: '√', hint: 'square root: small values stay visible' },
] as const;

/** How values map to colors: one key for all grids with numbers, and the choice of the transfer function. */
export function ColorScaleField({ page: { look } }: { readonly page: Page }) {
  const { show } = useCurrentView();
  const transfer = show?.model.transfer.value ?? 'linear';
  return (
    <div
      class="color-scale"
      title="Negative values are orange, positive values purple: the stronger, the nearer to the largest of their tensor."
    >
      <div class="color-scale__key" aria-hidden="true">
        <span>{MINUS}</span>
        <span
          class="color-scale__bar"
          style={{ backgroundImage: rampGradient(theme.value, { maxAbs: 1, ramp: 'signed', transfer }) }}
        />
        <span>+</span>
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
    </div>
  );
}
