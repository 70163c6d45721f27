import { useState } from 'preact/hooks';
import type { SumPlanes } from '../../geometry/terms';
import { Button } from '../../ui/controls/Button';
import { formatExact } from '../../ui/numbers';
import { TermList, type TermListProps } from './TermList';

interface PlaneListProps extends Omit<TermListProps, 'first' | 'count'> {
  readonly planes: SumPlanes;
  /** The sum of each plane; null until the library has answered. */
  readonly subtotals: Float32Array | null;
  /** The plane with a list of its terms; null: none. */
  readonly open: number | null;
  readonly onOpen: (plane: number | null) => void;
}

/** Planes that are shown before "Show all". */
const FIRST = 4;

/** The sum by channel (or filter, or image), each with its subtotal. */
export function PlaneList({ planes, subtotals, open, onOpen, ...list }: PlaneListProps) {
  const [all, setAll] = useState(false);
  const size = planes.rows * planes.cols;
  // Only planes with all their terms are listed; the others have no subtotal.
  const complete = Math.floor(list.page.index_a.length / size);
  if (planes.count === 1) return <TermList {...list} first={0} count={Math.min(size, list.page.index_a.length)} />;
  const count = all ? complete : Math.min(complete, FIRST);
  const unlisted = planes.count - complete;
  return (
    <>
      <ol class="planes">
        {Array.from({ length: count }, (_, plane) => {
          const subtotal = subtotals?.[plane];
          return (
            <li key={plane} class="plane">
              <h3 class="plane__head">
                <button
                  type="button"
                  aria-expanded={plane === open}
                  onClick={() => onOpen(plane === open ? null : plane)}
                >
                  {planes.word} {planes.first + plane}
                </button>
                <span class="plane__subtotal">{subtotal === undefined ? '' : formatExact(subtotal)}</span>
              </h3>
              {plane === open && <TermList {...list} first={plane * size} count={size} />}
            </li>
          );
        })}
      </ol>
      {complete > FIRST && (
        <Button onClick={() => setAll(!all)}>{all ? 'Show fewer' : `Show all ${complete} ${planes.word}s`}</Button>
      )}
      {unlisted > 0 && (
        <p class="terms__more">
          … {unlisted.toLocaleString('en')} more {unlisted === 1 ? planes.word : `${planes.word}s`}
        </p>
      )}
    </>
  );
}
