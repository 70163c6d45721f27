import { usePicture } from '../kit/picture';
import { Sign } from '../kit/stage/Place';
import { FORWARD, ForwardSigns, Tensors } from '../kit/stage/Tensors';

/** x ∗ w + b = y. */
export function Forward() {
  if (usePicture().layout.value.arrangement === 'stage') {
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
      <Sign after="x" row="forward">
        ∗
      </Sign>
      <Tensors names={['w', 'b']} />
      <Sign after="w" row="forward">
        =
      </Sign>
      <Tensors names={['y']} />
    </>
  );
}
