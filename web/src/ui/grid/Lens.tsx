import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Spot } from './grid-data';
import type { HeatImage } from './heat-canvas';
import { drawHeat } from './heat-canvas';
import './lens.css';

interface LensProps {
  readonly image: HeatImage;
  readonly cell: Spot;
  /** Position of the cell on the map, in CSS pixels. */
  readonly x: number;
  readonly y: number;
  readonly mapWidth: number;
}

const CELL = 36;
const REACH = 2;
const SIDE = CELL * (2 * REACH + 1);
const GAP = 14;

/** The cells around the pointer, large enough to read. Above the pointer, so that a finger does not cover it. */
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
      <span class="lens__center" style={{ left: `${REACH * CELL}px`, top: `${REACH * CELL}px`, width: `${CELL}px` }} />
    </div>
  );
}
