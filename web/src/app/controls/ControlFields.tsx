import { LoadingNotice } from '../../ui/LoadingNotice';
import { lazy } from '../../ui/lazy';
import type { Page } from '../page';

export interface ControlFieldsProps {
  readonly page: Page;
}

/** Loaded after the first render. */
const controls = lazy(async () => (await import('./Controls')).Controls);

/** All controls, for the column or the bottom sheet. */
export function ControlFields({ page }: ControlFieldsProps) {
  const Controls = controls();
  return Controls ? <Controls page={page} /> : <LoadingNotice what="The control panel" of={[controls]} />;
}
