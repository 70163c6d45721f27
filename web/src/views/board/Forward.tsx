import { FORWARD, ForwardSigns, Tensors, type TensorsProps } from '../kit/stage/Tensors';
import { useViewModel } from '../kit/view-model';

/** x ∗ w + b = y. */
export function Forward({ own }: Pick<TensorsProps, 'own'>) {
  const { arrangement, paired, columns } = useViewModel().layout.value;
  if (arrangement === 'stage') {
    return (
      <>
        <Tensors names={FORWARD} own={own} />
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
