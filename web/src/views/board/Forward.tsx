import { FORWARD, ForwardSigns, Tensors } from '../kit/stage/Tensors';

/** x ∗ w + b = y. */
export function Forward() {
  return (
    <>
      <Tensors names={FORWARD} />
      <ForwardSigns />
    </>
  );
}
