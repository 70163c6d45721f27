import type { PictureProps } from '../kit/scene';
import { TensorPanel } from '../kit/TensorPanel';

/** x ∗ w + b = y. */
export function Forward(props: PictureProps) {
  const { tensors } = props.scene;
  return (
    <div class="row">
      <TensorPanel tensor="x" {...props} />
      <span class="row__sign" aria-hidden="true">
        ∗
      </span>
      <div class="row__pair">
        <TensorPanel tensor="w" {...props} />
        {tensors.b && <TensorPanel tensor="b" {...props} />}
      </div>
      <span class="row__sign" aria-hidden="true">
        =
      </span>
      <TensorPanel tensor="y" {...props} />
    </div>
  );
}
