import type { Page } from '../page';
import { Colours } from './Colours';
import { Forced } from './Forced';

/** What stands beside the choices of every mode. */
export const RowEnd = ({ page }: { readonly page: Page }) => (
  <>
    <Forced store={page.store} />
    <Colours page={page} />
  </>
);
