import type { ViewProps } from './scene';
import { TensorPanel } from './TensorPanel';

/** The gradients, each below the tensor it belongs to. dy comes first to where it came from: read from right to left. */
export function BackwardView(props: ViewProps) {
  const { tensors } = props.scene;
  return (
    <div class="row row--backward">
      <TensorPanel tensor="dx" {...props} />
      <span class="row__sign" aria-hidden="true">
        ←
      </span>
      <div class="row__pair">
        <TensorPanel tensor="dw" {...props} />
        {tensors.b && <TensorPanel tensor="db" {...props} />}
      </div>
      <span class="row__sign" aria-hidden="true">
        ←
      </span>
      <TensorPanel tensor="dy" {...props} />
    </div>
  );
}
