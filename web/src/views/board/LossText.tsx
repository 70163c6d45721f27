import type { Content } from '../../protocol/messages';
import { DY_WORDS } from '../../sources/dy-words';
import { formatCell } from '../../ui/numbers';
import { useDerived, useViewModel } from '../kit/view-model';

const FORMULAS = { mse: 'L = Σ (y − target)² / (2N)', log_cosh: 'L = Σ log cosh(y − target) / N' } as const;

/** None while dy is set directly. */
export const lossFormulas = (loss: Content['loss']): readonly string[] => (loss ? [FORMULAS[loss.kind]] : []);

/** "L = 17.2, squared error, target 0", in one line or two (`tall`), with the full text as tooltip; or the loss of a dy that is set directly. */
export function LossText({ tall = false }: { readonly tall?: boolean }) {
  const { content } = useViewModel();
  const loss = useDerived(() => content.value.loss, [content]).value;
  const fixed = useDerived(() => content.value.network?.fixed.dy, [content]).value;
  if (fixed) {
    return (
      <span class="loss">
        <i>dy</i> is the {fixed}
      </span>
    );
  }
  if (!loss) {
    return (
      <span class="loss" title="dy is set directly. The gradients are those of L = Σ y · dy.">
        <i>L</i> = Σ <i>y</i> · <i>dy</i>, <i>dy</i> is given
      </span>
    );
  }
  const { label } = DY_WORDS[loss.kind];
  const target = loss.target ? 'to your target' : 'to the target 0';
  return (
    <span class="loss" title={`L = ${Number.isNaN(loss.value) ? '?' : loss.value}: ${label} ${target}; dy = dL/dy`}>
      <strong>
        <i>L</i> = {formatCell(loss.value, { digits: 3, chars: 8 })}
      </strong>
      {tall ? <br /> : ', '}
      {label} {target}
    </span>
  );
}
