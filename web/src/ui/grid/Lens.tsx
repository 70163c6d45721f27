import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Spot } from './grid-data';
import type { HeatImage } from './heat-canvas';
import { drawHeat } from './heat-canvas';
import './lens.css';

interface LensProps {
  readonly image: HeatImage;
  readonly cell: Spot;
  /** Where the cell is on the map, in CSS pixels, and how wide the map is. */
  readonly x: number;
  readonly y: number;
  readonly mapWidth: number;
}

const CELL = 36;
const REACH = 2;
const SIDE = CELL * (2 * REACH + 1);
const GAP = 14;

/** The cells around the pointer, large enough to read. Stands above the finger, so that it is not hidden by it. */
export function Lens({ image, cell, x, y, mapWidth }: LensProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (!canvas.current) return;
    const view = { row: cell.row - REACH, col: cell.col - REACH, cell: CELL, width: SIDE, height: SIDE };
    drawHeat(canvas.current, image, view);
  }, [image, cell.row, cell.col]);

  const left = Math.max(-GAP, Math.min(mapWidth - SIDE + GAP, x - SIDE / 2));
  const above = y - SIDE - GAP;
  return (
    <div
      class="lens"
      aria-hidden="true"
      style={{ transform: `translate(${left}px, ${above}px)`, width: `${SIDE}px`, height: `${SIDE}px` }}
    >
      <canvas ref={canvas} style={{ width: `${SIDE}px`, height: `${SIDE}px` }} />
      <span class="lens__centre" style={{ left: `${REACH * CELL}px`, top: `${REACH * CELL}px`, width: `${CELL}px` }} />
    </div>
  );
}
