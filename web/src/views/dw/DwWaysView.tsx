import { Segmented } from '../../ui/controls/Choice';
import { Badge } from '../kit/Badge';
import type { View, ViewProps } from '../kit/view';
import { Collapse } from './Collapse';
import { DilatedDy } from './DilatedDy';
import { Grouped } from './Grouped';
import { MatrixProduct } from './MatrixProduct';
import { WAYS, wayOf } from './ways';
import './dw-ways.css';

const PICTURES: Readonly<Record<string, typeof DilatedDy>> = {
  im2col_gemm: MatrixProduct,
  dilated_dy: DilatedDy,
  grouped: Grouped,
  sum: Collapse,
};

function DwWaysView(props: ViewProps) {
  const { state, wanted, answers, onState } = props;
  const way = wayOf(state);
  const Picture = way && PICTURES[way.id];
  if (!Picture) return null;
  return (
    <div class="steps">
      <Segmented
        label="way"
        quiet
        options={WAYS.map(({ id, label, idea }) => ({ value: id, label, hint: idea }))}
        value={wayOf(wanted)?.id ?? way.id}
        onChange={(id) => onState({ way: id })}
      />
      <p class="steps__idea">{way.idea}</p>
      <Badge comparison={answers.compare} algorithm={way.id} />
      {answers.error && <p class="notice notice--wrong">{answers.error.message}</p>}
      <Picture {...props} />
    </div>
  );
}

export const dwWaysView: View = {
  needs(g, state) {
    const way = wayOf(state);
    if (!way) return {};
    const algorithms = WAYS.filter(({ pass }) => pass === way.pass).map(({ id }) => id);
    return { details: way.details(g, state) ?? {}, compare: { pass: way.pass, algorithms } };
  },
  Component: DwWaysView,
};
