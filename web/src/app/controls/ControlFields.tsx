import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import type { Page } from '../page';

export interface ControlFieldsProps {
  readonly page: Page;
}

/** The first picture needs none: they come right after it. */
const controls = late(async () => (await import('./Controls')).Controls);

/** Everything that can be set, in a column or in a sheet. */
export function ControlFields({ page }: ControlFieldsProps) {
  const Controls = controls();
  return Controls ? <Controls page={page} /> : <LateNotice what="What can be set" of={[controls]} />;
}
