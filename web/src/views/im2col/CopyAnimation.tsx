import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { tapOfColumn } from '../../geometry/matrix';
import { pixelOfColumn } from '../../geometry/rules';
import type { Geometry, Tensor } from '../../protocol/problem';
import { formatCell } from '../../ui/numbers';

/** The animation of one entry of dx_col to its cell of dx. */
interface MovingCopy {
  readonly fromRow: number;
  readonly fromCol: number;
  readonly toRow: number;
  readonly toCol: number;
  readonly text: string;
}

/** The entries of a row of dx_col for channel `c` of dx, without those of the padding. */
export function movingCopiesOf(g: Geometry, dx_col: Tensor, row: number, c: number): readonly MovingCopy[] {
  const group = Math.floor(c / g.group_c);
  const [, rows, cols] = dx_col.shape;
  const copies: MovingCopy[] = [];
  for (let col = 0; col < cols; col += 1) {
    if (tapOfColumn(g, col).channel !== c % g.group_c) continue;
    const pixel = pixelOfColumn(g, { slice: group, row, col, channel: 0 });
    if (pixel.row < 0 || pixel.row >= g.h || pixel.col < 0 || pixel.col >= g.w) continue;
    const value = dx_col.data[(group * rows + row) * cols + col] ?? 0;
    const text = formatCell(value, { digits: 2, chars: 4 });
    copies.push({ fromRow: row, fromCol: col, toRow: pixel.row, toCol: pixel.col, text });
  }
  return copies;
}

const LONGEST = 450;
/** Shorter animations flicker. */
const SHORTEST = 140;
/** Share of the time between two steps that the animation takes. */
const SHARE = 0.8;

/**
 * Animates the step to `steps` if it is one step forward, slow enough, and reduced motion is not requested. `duration`: of the
 * current animation in ms; null: none.
 */
export function useCopyAnimation(steps: number, canAnimate: boolean) {
  const [done, setDone] = useState(steps);
  const clock = useRef({ steps, since: 0, pause: 0 });
  if (clock.current.steps !== steps) {
    const now = performance.now();
    clock.current = { steps, since: now, pause: now - clock.current.since };
  }
  const duration = Math.min(LONGEST, clock.current.pause * SHARE);
  const isReduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const animates = canAnimate && !isReduced && steps === done + 1 && duration >= SHORTEST;
  useEffect(() => {
    if (!animates) setDone(steps);
  }, [animates, steps]);
  return { duration: animates ? duration : null, onDone: () => setDone(steps) };
}

/** Animates the copies of a row of dx_col to their cells of dx. Hidden from screen readers: the sentence describes it. */
export function CopyAnimation({
  copies,
  fromCols,
  toCols,
  milliseconds,
  onDone,
}: {
  copies: readonly MovingCopy[];
  fromCols: number;
  toCols: number;
  milliseconds: number;
  onDone: () => void;
}) {
  const layer = useRef<HTMLDivElement>(null);
  const latestOnDone = useRef(onDone);
  latestOnDone.current = onDone;
  useLayoutEffect(() => {
    const canvas = layer.current?.closest('.canvas');
    const room = canvas?.getBoundingClientRect();
    const from = canvas?.querySelector('.panel--dx_col [role="grid"]')?.getBoundingClientRect();
    const to = canvas?.querySelector('.panel--dx [role="grid"]')?.getBoundingClientRect();
    if (!room || !from || !to || !layer.current) return;
    const [small, large] = [from.width / fromCols, to.width / toCols];
    const transformOf = (box: DOMRect, size: number, row: number, col: number) =>
      `translate(${box.left - room.left + col * size}px, ${box.top - room.top + row * size}px)`;
    const animations = Array.from(layer.current.children, (chip, i) => {
      const copy = copies[i];
      if (!copy) return null;
      const start = transformOf(from, small, copy.fromRow, copy.fromCol);
      const end = transformOf(to, large, copy.toRow, copy.toCol);
      return chip.animate(
        [
          { transform: start, width: `${small}px`, height: `${small}px` },
          { transform: end, width: `${large}px`, height: `${large}px` },
        ],
        { duration: milliseconds, easing: 'cubic-bezier(0.5, 0, 0.3, 1)', fill: 'both' },
      );
    });
    const timer = setTimeout(() => latestOnDone.current(), milliseconds);
    return () => {
      clearTimeout(timer);
      for (const animation of animations) animation?.cancel();
    };
  }, [copies, fromCols, toCols, milliseconds]);
  return (
    <div ref={layer} class="flight cover" aria-hidden="true">
      {copies.map(({ fromCol, text }) => (
        <span key={fromCol} class="flight__chip">
          {text}
        </span>
      ))}
    </div>
  );
}
