import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Flyer } from './flight';

interface FlightProps {
  readonly flyers: readonly Flyer[];
  readonly fromCols: number;
  readonly toCols: number;
  readonly milliseconds: number;
  readonly onLanded: () => void;
}

/** The copies in a row of dx_col flying home. For the eye: the sentence and the grids say the same. */
export function Flight({ flyers, fromCols, toCols, milliseconds, onLanded }: FlightProps) {
  const layer = useRef<HTMLDivElement>(null);
  const landed = useRef(onLanded);
  landed.current = onLanded;
  useLayoutEffect(() => {
    const canvas = layer.current?.closest('.canvas');
    const room = canvas?.getBoundingClientRect();
    const from = canvas?.querySelector('.matrix [role="grid"]')?.getBoundingClientRect();
    const to = canvas?.querySelector('.panel--dx [role="grid"]')?.getBoundingClientRect();
    if (!room || !from || !to || !layer.current) return;
    const [small, large] = [from.width / fromCols, to.width / toCols];
    const place = (box: DOMRect, size: number, row: number, col: number) =>
      `translate(${box.left - room.left + col * size}px, ${box.top - room.top + row * size}px)`;
    const flights = Array.from(layer.current.children, (chip, i) => {
      const flyer = flyers[i];
      if (!flyer) return null;
      const start = place(from, small, flyer.fromRow, flyer.fromCol);
      const end = place(to, large, flyer.toRow, flyer.toCol);
      return chip.animate(
        [
          { transform: start, width: `${small}px`, height: `${small}px` },
          { transform: end, width: `${large}px`, height: `${large}px` },
        ],
        { duration: milliseconds, easing: 'cubic-bezier(0.5, 0, 0.3, 1)', fill: 'both' },
      );
    });
    const timer = setTimeout(() => landed.current(), milliseconds);
    return () => {
      clearTimeout(timer);
      for (const flight of flights) flight?.cancel();
    };
  }, [flyers, fromCols, toCols, milliseconds]);
  return (
    <div ref={layer} class="flight" aria-hidden="true">
      {flyers.map(({ fromCol, text }) => (
        <span key={fromCol} class="flight__chip">
          {text}
        </span>
      ))}
    </div>
  );
}
