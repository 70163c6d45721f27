import type { ViewProps } from './scene';
import { TensorPanel } from './TensorPanel';

/** x ∗ w + b = y. */
export function ForwardView(props: ViewProps) {
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
