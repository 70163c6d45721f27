import { Segmented } from '../../ui/controls/Choice';
import type { Page } from '../page/page';
import { useCurrentView } from './current-view';

const TRANSFERS = [
  { value: 'linear', label: 'linear', hint: 'color proportional to the value' },
  { value: 'root', label: '√', hint: 'square root: small values stay visible' },
] as const;

/** How values map to colors. */
export function ColorScaleField({ page: { look } }: { readonly page: Page }) {
  const { show } = useCurrentView();
  return (
    <Segmented
      label="color scale"
      quiet
      options={TRANSFERS}
      value={show?.model.transfer.value ?? 'linear'}
      onChange={(value) => {
        look.transfer.value = value;
      }}
    />
  );
}
