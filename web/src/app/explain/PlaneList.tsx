import { useState } from 'preact/hooks';
import type { SumPlanes } from '../../geometry/planes';
import { Button } from '../../ui/controls/Button';
import { formatExact } from '../../ui/numbers';
import { TermList, type TermListProps } from './TermList';

interface PlaneListProps extends Omit<TermListProps, 'first' | 'count'> {
  readonly planes: SumPlanes;
  /** What each plane adds up to; null until the library has answered. */
  readonly subtotals: Float32Array | null;
  /** The plane whose terms are listed; null: none. */
  readonly open: number | null;
  readonly onOpen: (plane: number | null) => void;
}

/** Planes shown before the rest is folded. */
const FIRST = 4;

/** The sum, channel by channel (filter by filter, image by image), each with what it adds up to. */
export function PlaneList({ planes, subtotals, open, onOpen, ...list }: PlaneListProps) {
  const [all, setAll] = useState(false);
  const size = planes.rows * planes.cols;
  // A plane that is not listed whole has no subtotal either.
  const whole = Math.floor(list.page.index_a.length / size);
  if (planes.count === 1) return <TermList {...list} first={0} count={Math.min(size, list.page.index_a.length)} />;
  const count = all ? whole : Math.min(whole, FIRST);
  const unheard = planes.count - whole;
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
      {whole > FIRST && (
        <Button onClick={() => setAll(!all)}>{all ? 'Show fewer' : `Show all ${whole} ${planes.word}s`}</Button>
      )}
      {unheard > 0 && (
        <p class="terms__more">
          … {unheard.toLocaleString('en')} more {unheard === 1 ? planes.word : `${planes.word}s`}
        </p>
      )}
    </>
  );
}
