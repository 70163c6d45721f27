import type { ComponentChildren } from 'preact';
import { FORWARD, ForwardSigns, Tensors } from '../kit/stage/Tensors';
import { useViewModel } from '../kit/view-model';

const WITHOUT_X = FORWARD.filter((name) => name !== 'x');

/** x ∗ w + b = y; with children in place of x, they are no equation. */
export function Forward({ children: inPlace }: { readonly children?: ComponentChildren }) {
  const { arrangement, paired, columns } = useViewModel().layout.value;
  if (arrangement === 'stage') {
    return (
      <>
        {inPlace}
        <Tensors names={inPlace ? WITHOUT_X : FORWARD} />
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
            <Tensors names={['w', 'y']} />
          </div>
          <Tensors names={['b']} />
        </>
      ) : (
        <Tensors names={['w', 'b', 'y']} />
      )}
    </>
  );
}
