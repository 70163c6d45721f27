import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import type { Page } from '../page';
import { canHide, type Extent, isMasked } from './masking';
import { predictorOf } from './predictor';
import './predict.css';

interface PredictProps {
  readonly page: Page;
  readonly geometry: Geometry;
  /** The cell that is explained. */
  readonly cell: Cell;
  readonly name: string;
  /** Its number is not told. */
  readonly hidden: boolean;
}

/** Hides the number of a pinned cell, or, where it is hidden, is where one says what it is. */
export function Predict({ page, geometry, cell, name, hidden }: PredictProps) {
  const predictor = predictorOf(page);
  const masked = isMasked(page.look.masked.value, cell);
  if (hidden && !masked) return <p class="explain__note">Not told: it is made of numbers that are hidden.</p>;
  if (!canHide(cell)) return null;
  const extents: readonly (readonly [Extent, string])[] = [
    ['cell', name],
    ...(cell.tensor === 'b' || cell.tensor === 'db' ? [] : [['row', 'its row'] as const]),
    ['tensor', `all of ${cell.tensor}`],
  ];
  if (!masked) {
    return (
      <p class="predict__hide">
        <span id="predict-hide">Hide, to predict it:</span>
        {extents.map(([extent, words]) => (
          <Button key={extent} label={`Hide ${words}`} onClick={() => predictor.hide(geometry, cell, extent)}>
            {words}
          </Button>
        ))}
      </p>
    );
  }
  return (
    <section class="predict" aria-label={`Predict ${name}`}>
      <p>This number is hidden. Work it out.</p>
      <div class="predict__bar">
        {!predictor.attempt(cell).hinted && <Button onClick={() => predictor.hint(cell)}>Hint</Button>}
        <Button onClick={() => predictor.reveal(geometry, cell, 'cell')}>Reveal</Button>
      </div>
    </section>
  );
}
