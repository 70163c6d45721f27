import { LOCKED } from '../../commands/command';
import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import type { Page } from '../page';
import { Guess } from './Guess';
import { canHide, type Extent, isMasked } from './masking';
import { isMade, predictorOf } from './predictor';
import { VerdictWords } from './VerdictWords';
import './predict.css';

interface PredictProps {
  readonly page: Page;
  readonly geometry: Geometry;
  /** The cell that is explained. */
  readonly cell: Cell;
  readonly name: string;
  /** Its number is not told. */
  readonly hidden: boolean;
  /** Cells can be hidden here. */
  readonly offersHiding?: boolean;
}

/** Hides the number of a pinned cell, or, where it is hidden, is where one says what it is. */
export function Predict({ page, geometry, cell, name, hidden, offersHiding = true }: PredictProps) {
  const predictor = predictorOf(page);
  const { locked, absent } = page.look;
  const keeps = locked.value.includes('hide') || absent.value.includes('hide');
  const masked = isMasked(page.look.masked.value, cell);
  const attempt = predictor.attempt(cell);
  if (hidden && !masked) return <p class="explain__note">Not told: it is made of numbers that are hidden.</p>;
  if (!canHide(cell)) return null;
  if (!masked) {
    return (
      <>
        <VerdictWords page={page} cell={cell} name={name} attempt={attempt} />
        {offersHiding && (
          <p class="predict__hide">
            <span>Hide, to predict it:</span>
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
      <Guess
        key={name}
        name={name}
        attempt={attempt}
        drafts={predictor.drafts}
        onCheck={(text) => predictor.check(geometry, cell, text)}
      />
      <VerdictWords page={page} cell={cell} name={name} attempt={attempt} />
      <div class="predict__bar">
        {isMade(cell) && !attempt.hinted && <Button onClick={() => predictor.hint(cell)}>Hint</Button>}
        <Button
          label={`Reveal ${name}${keeps ? LOCKED : ''}`}
          disabled={keeps}
          onClick={() => predictor.reveal(geometry, cell, 'cell')}
        >
          Reveal
        </Button>
        {!keeps && isMore(page, cell) && (
          <Button onClick={() => predictor.reveal(geometry, cell, 'tensor')}>Reveal all of {cell.tensor}</Button>
        )}
      </div>
    </section>
  );
}

/** More of its tensor is hidden than this cell. */
const isMore = ({ look }: Page, { tensor }: Cell): boolean =>
  look.masked.value.some((entry) => entry.tensor === tensor && entry.index === null) ||
  look.masked.value.filter((entry) => entry.tensor === tensor).length > 1;

const extentsOf = (cell: Cell, name: string): readonly (readonly [Extent, string])[] => [
  ['cell', name],
  ...(cell.tensor === 'b' || cell.tensor === 'db' ? [] : [['row', 'its row'] as const]),
  ['tensor', `all of ${cell.tensor}`],
];
