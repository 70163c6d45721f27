import type { ComponentChildren } from 'preact';
import { FORWARD, ForwardSigns, Tensors, type TensorsProps } from '../kit/stage/Tensors';
import { useViewModel } from '../kit/view-model';

const WITHOUT_X = FORWARD.filter((name) => name !== 'x');

interface ForwardProps extends Pick<TensorsProps, 'own'> {
  readonly children?: ComponentChildren;
}

/** x ∗ w + b = y; with children in place of x, they are no equation. */
export function Forward({ own, children: inPlace }: ForwardProps) {
  const { arrangement, paired, columns } = useViewModel().layout.value;
  if (arrangement === 'stage') {
    return (
      <>
        {inPlace}
        <Tensors names={inPlace ? WITHOUT_X : FORWARD} own={own} />
        {!inPlace && <ForwardSigns />}
      </>
    );
  }
  return (
    <>
      {inPlace || <Tensors names={['x']} />}
      {paired ? (
        <>
          <div class="beside" style={{ gridTemplateColumns: `${columns.w.size}px ${columns.y.size}px` }}>
            <Tensors names={['w', 'y']} own={own} />
          </div>
          <Tensors names={['b']} />
        </>
      ) : (
        <Tensors names={['w', 'b', 'y']} own={own} />
      )}
    </>
  );
}
