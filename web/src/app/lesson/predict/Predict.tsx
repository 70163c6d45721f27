import { LOCKED } from '../../../commands/command';
import type { Cell } from '../../../protocol/cell';
import type { Geometry } from '../../../protocol/problem';
import { Button } from '../../../ui/controls/Button';
import type { Page } from '../../page/page';
import { canHide, type Extent, isMasked } from './masking';
import { PredictionField } from './PredictionField';
import { PredictionResult } from './PredictionResult';
import { isComputed, predictorOf } from './predictor';
import './predict.css';

interface PredictProps {
  readonly page: Page;
  readonly geometry: Geometry;
  /** The explained cell. */
  readonly cell: Cell;
  readonly name: string;
  /** Its value is hidden. */
  readonly hidden: boolean;
  /** Whether to offer buttons that hide cells. */
  readonly offersHiding?: boolean;
}

/** Hides the value of a pinned cell; for a hidden one, asks for a prediction. */
export function Predict({ page, geometry, cell, name, hidden, offersHiding = true }: PredictProps) {
  const predictor = predictorOf(page);
  const { locked, absent } = page.look;
  const revealLocked = locked.value.includes('hide') || absent.value.includes('hide');
  const masked = isMasked(page.look.masked.value, cell);
  const attempt = predictor.attempt(cell);
  if (hidden && !masked) return <p class="explain__note">Hidden: it is computed from hidden values.</p>;
  if (!canHide(cell)) return null;
  if (!masked) {
    return (
      <>
        <PredictionResult page={page} cell={cell} name={name} attempt={attempt} />
        {offersHiding && (
          <p class="predict__hide">
            <span>Hide and predict:</span>
            {extentsOf(cell, name).map(([extent, words]) => (
              <Button key={extent} label={`Hide ${words}`} onClick={() => predictor.hide(geometry, cell, extent)}>
                {words}
              </Button>
            ))}
          </p>
        )}
      </>
    );
  }
  return (
    <section class="predict" aria-label={`Predict ${name}`}>
      <PredictionField
        key={name}
        name={name}
        attempt={attempt}
        drafts={predictor.drafts}
        onCheck={(text) => predictor.check(geometry, cell, text)}
      />
      <PredictionResult page={page} cell={cell} name={name} attempt={attempt} />
      <div class="predict__bar">
        {isComputed(cell) && !attempt.hinted && <Button onClick={() => predictor.hint(cell)}>Hint</Button>}
        <Button
          label={`Reveal ${name}${revealLocked ? LOCKED : ''}`}
          disabled={revealLocked}
          onClick={() => predictor.reveal(geometry, cell, 'cell')}
        >
          Reveal
        </Button>
        {!revealLocked && isMore(page, cell) && (
          <Button onClick={() => predictor.reveal(geometry, cell, 'tensor')}>Reveal all of {cell.tensor}</Button>
        )}
      </div>
    </section>
  );
}

/** Whether more of its tensor is hidden than this cell. */
const isMore = ({ look }: Page, { tensor }: Cell): boolean =>
  look.masked.value.some((entry) => entry.tensor === tensor && entry.index === null) ||
  look.masked.value.filter((entry) => entry.tensor === tensor).length > 1;

const extentsOf = (cell: Cell, name: string): readonly (readonly [Extent, string])[] => [
  ['cell', name],
  ...(cell.tensor === 'b' || cell.tensor === 'db' ? [] : [['row', 'its row'] as const]),
  ['tensor', `all of ${cell.tensor}`],
];
