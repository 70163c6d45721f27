import type { TensorName } from '../../../protocol/problem';
import type { TensorPanelProps } from '../TensorPanel';
import { useDerived, useViewModel } from '../view-model';
import { Sign } from './LayoutBox';
import { Slot } from './Slot';

export interface TensorsProps {
  readonly names: readonly TensorName[];
  /** Props of single panels. */
  readonly own?: Readonly<Partial<Record<TensorName, Partial<TensorPanelProps>>>> | undefined;
}

export const FORWARD: readonly TensorName[] = ['x', 'w', 'b', 'y'];
const BACKWARD: readonly TensorName[] = ['dx', 'dw', 'db', 'dy'];
export const ALL: readonly TensorName[] = [...FORWARD, ...BACKWARD];

/** Tensors at their positions. */
export function Tensors({ names, own = {} }: TensorsProps) {
  const { content } = useViewModel();
  const there = useDerived(() => names.filter((name) => content.value.tensors[name]).join(), [content, names]).value;
  return (
    <>
      {names
        .filter((name) => there.split(',').includes(name))
        .map((name) => (
          <Slot key={name} tensor={name} {...own[name]} />
        ))}
    </>
  );
}

/** x ∗ w = y. */
export function ForwardSigns() {
  return (
    <>
      <Sign after="x" row="forward">
        ∗
      </Sign>
      <Sign after="w" row="forward">
        =
      </Sign>
    </>
  );
}
