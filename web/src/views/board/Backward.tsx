import type { PictureProps } from '../kit/scene';
import { TensorPanel } from '../kit/TensorPanel';

/**
 * The gradients, each below the tensor it belongs to; they come from dy, so the row reads from right to left. db is
 * there without a bias too: what one would get.
 */
export function Backward(props: PictureProps) {
  return (
    <div class="row row--backward">
      <TensorPanel tensor="dx" {...props} />
      <span class="row__sign" aria-hidden="true">
        ←
      </span>
      <div class="row__pair">
        <TensorPanel tensor="dw" {...props} />
        <TensorPanel tensor="db" {...props} />
      </div>
      <span class="row__sign" aria-hidden="true">
        ←
      </span>
      <TensorPanel tensor="dy" {...props} />
    </div>
  );
}
