import { FORWARD, ForwardSigns, Tensors } from '../kit/stage/Tensors';
import { useViewModel } from '../kit/view-model';

/** x ∗ w + b = y. */
export function Forward() {
  const { arrangement, paired, columns } = useViewModel().layout.value;
  if (arrangement === 'stage') {
    return (
      <>
        <Tensors names={FORWARD} />
        <ForwardSigns />
      </>
    );
  }
  return (
    <>
      <Tensors names={['x']} />
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
