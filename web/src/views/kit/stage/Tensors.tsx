import type { TensorName } from '../../../protocol/problem';
import { TensorPanel, type TensorPanelProps } from '../TensorPanel';
import { useDerived, useViewModel } from '../view-model';
import { LayoutBox, Sign } from './LayoutBox';
import { twin } from './layout';

/** A tensor at its position, which is the same in every view; null for a gradient that a lesson does not speak of. */
export function TensorSlot({ tensor, ...props }: { readonly tensor: TensorName } & Partial<TensorPanelProps>) {
  const model = useViewModel();
  const layout = model.layout.value;
  return model.absent.value.includes(tensor) ? null : (
    <LayoutBox box={layout.slots[tensor]} slot>
      <TensorPanel {...props} tensor={tensor} size={layout.cell[twin(tensor)]} />
    </LayoutBox>
  );
}

export interface TensorsProps {
  readonly names: readonly TensorName[];
  /** Props of single panels. */
  readonly own?: Readonly<Partial<Record<TensorName, Partial<TensorPanelProps>>>> | undefined;
}

export const FORWARD: readonly TensorName[] = ['x', 'w', 'b', 'y'];
const BACKWARD: readonly TensorName[] = ['dx', 'dw', 'db', 'dy'];
export const ALL_TENSORS: readonly TensorName[] = [...FORWARD, ...BACKWARD];

/** Tensors at their positions. */
export function TensorSlots({ names, own = {} }: TensorsProps) {
  const { content } = useViewModel();
  const there = useDerived(() => names.filter((name) => content.value.tensors[name]).join(), [content, names]).value;
  return (
    <>
      {names
        .filter((name) => there.split(',').includes(name))
        .map((name) => (
          <TensorSlot key={name} tensor={name} {...own[name]} />
        ))}
    </>
  );
}

/** x ∗ w = y. */
export function ForwardSigns() {
  return (
    <>
      <Sign after="x" row="forward" sign="∗" />
      <Sign after="w" row="forward" sign="=" />
    </>
  );
}
