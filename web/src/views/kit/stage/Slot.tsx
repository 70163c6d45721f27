import type { TensorName } from '../../../protocol/problem';
import { TensorPanel, type TensorPanelProps } from '../TensorPanel';
import { useViewModel } from '../view-model';
import { LayoutBox } from './LayoutBox';
import { twin } from './layout';

/** A tensor at its position, which is the same in every view. */
export function Slot({ tensor, ...props }: { readonly tensor: TensorName } & Partial<TensorPanelProps>) {
  const layout = useViewModel().layout.value;
  return (
    <LayoutBox box={layout.slots[tensor]} slot>
      <TensorPanel {...props} tensor={tensor} size={layout.cell[twin(tensor)]} />
    </LayoutBox>
  );
}
