import { BACKWARD, Tensors } from '../kit/stage/Tensors';

/** The gradients, each below the tensor it belongs to. db is there without a bias too: what one would get. */
export function Backward() {
  return <Tensors names={BACKWARD} />;
}
