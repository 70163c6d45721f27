import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MovingCopy } from './moving-copies';

interface CopyAnimationProps {
  readonly copies: readonly MovingCopy[];
  readonly fromCols: number;
  readonly toCols: number;
  readonly milliseconds: number;
  readonly onDone: () => void;
}

/** Animates the copies of a row of dx_col to their cells of dx. Hidden from screen readers: the sentence describes it. */
export function CopyAnimation({ copies, fromCols, toCols, milliseconds, onDone }: CopyAnimationProps) {
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
    <div ref={layer} class="flight" aria-hidden="true">
      {copies.map(({ fromCol, text }) => (
        <span key={fromCol} class="flight__chip">
          {text}
        </span>
      ))}
    </div>
  );
}
