import type { TensorName } from '../../../protocol/problem';
import { TensorPanel, type TensorPanelProps } from '../TensorPanel';
import { useViewModel } from '../view-model';
import { LayoutBox } from './LayoutBox';
import { twin } from './layout';

/** A tensor at its position, which is the same in every view; null for a gradient that a lesson does not speak of. */
export function Slot({ tensor, ...props }: { readonly tensor: TensorName } & Partial<TensorPanelProps>) {
  const model = useViewModel();
  const layout = model.layout.value;
  return model.absent.value.includes(tensor) ? null : (
    <LayoutBox box={layout.slots[tensor]} slot>
      <TensorPanel {...props} tensor={tensor} size={layout.cell[twin(tensor)]} />
    </LayoutBox>
  );
}
