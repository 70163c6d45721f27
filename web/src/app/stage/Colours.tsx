import { Segmented } from '../../ui/controls/Choice';
import type { Page } from '../page';
import { useStaged } from './staged';

const TRANSFERS = [
  { value: 'linear', label: 'linear', hint: 'twice the value, twice the colour' },
  { value: 'root', label: '√', hint: 'the root of the value: small ones stay visible' },
] as const;

/** How values are spread over the colours. */
export function Colours({ page: { look } }: { readonly page: Page }) {
  const { show } = useStaged();
  return (
    <Segmented
      label="colour scale"
      quiet
      options={TRANSFERS}
      value={show?.picture.transfer.value ?? 'linear'}
      onChange={(value) => {
        look.transfer.value = value;
      }}
    />
  );
}
