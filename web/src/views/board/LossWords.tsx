import { DY_SOURCES } from '../../sources/dy-sources';
import { formatCell } from '../../ui/numbers';
import { useDerived, usePicture } from '../kit/picture';

/** "L = 17.2, squared error to the target 0"; without a loss, that dy is given. One line, or two: what has no room is said by the title. */
export function LossWords({ tall = false }: { readonly tall?: boolean }) {
  const { content } = usePicture();
  const loss = useDerived(() => content.value.loss, [content]).value;
  if (!loss) {
    return (
      <span
        class="loss"
        title="No loss is computed here: dy is chosen. It says how a loss L would change with each cell of y."
      >
        no loss: <i>dy</i> is given
      </span>
    );
  }
  const label = DY_SOURCES.find(({ kind }) => kind === loss.kind)?.label ?? loss.kind;
  const target = loss.target ? 'to a target of your own' : 'to the target 0';
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
