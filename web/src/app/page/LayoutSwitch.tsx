import { Segmented } from '../../ui/controls/Choice';
import type { Page } from './page';

const LAYOUTS = [
  { value: 'nhwc', label: 'NHWC', hint: 'channels last, weights HWIO, as in TensorFlow' },
  { value: 'nchw', label: 'NCHW', hint: 'channels first, weights OIHW, as in PyTorch' },
] as const;

/** The order of the axes in memory: in code, arrays and indices. The views and the meaning of each cell stay. */
export function LayoutSwitch({
  page: { store },
  quiet = false,
}: {
  page: Pick<Page, 'store'>;
  /** The label is for screen readers only. */
  quiet?: boolean;
}) {
  return (
    <Segmented
      label="layout"
      quiet={quiet}
      options={LAYOUTS}
      value={store.problem.value.input.layout}
      onChange={(layout) => store.setDesc({ layout })}
    />
  );
}
