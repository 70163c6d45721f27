import type { Page } from '../page/page';
import { ColorScaleField } from './ColorScaleField';
import { ForcedAlgorithms } from './ForcedAlgorithms';

/** Settings that every view has. */
export const CommonSettings = ({ page }: { readonly page: Page }) => (
  <>
    <ForcedAlgorithms store={page.store} />
    <ColorScaleField page={page} />
  </>
);
