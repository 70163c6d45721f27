import type { TensorName } from '../../../protocol/problem';
import { usePicture } from '../picture';
import { TensorPanel, type TensorPanelProps } from '../TensorPanel';
import { twin } from './layout';
import { Place } from './Place';

/** A tensor at its own place, which is the same in every mode. */
export function Slot({ tensor, ...props }: { readonly tensor: TensorName } & Partial<TensorPanelProps>) {
  const layout = usePicture().layout.value;
  return (
    <Place box={layout.slots[tensor]}>
      <TensorPanel {...props} tensor={tensor} size={layout.cell[twin(tensor)]} />
    </Place>
  );
}
