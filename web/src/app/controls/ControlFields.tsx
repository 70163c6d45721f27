import type { ReadonlySignal, Signal } from '@preact/signals';
import type { ConvError } from '../../protocol/errors';
import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import type { Page } from '../page';
import type { PictureChannels } from '../picture-room';
import type { Pictures } from '../pictures';

export interface ControlFieldsProps {
  readonly page: Page;
  readonly pictures: Pictures;
  readonly channels: Signal<PictureChannels>;
  readonly error: ReadonlySignal<ConvError | null>;
}

/** The first picture needs none: they come right after it. */
const controls = late(async () => (await import('./Controls')).Controls);

/** Everything that can be set, in a column or in a sheet. */
export function ControlFields({ page: { store }, ...props }: ControlFieldsProps) {
  const Controls = controls();
  return Controls ? <Controls store={store} {...props} /> : <LateNotice what="What can be set" of={[controls]} />;
}
