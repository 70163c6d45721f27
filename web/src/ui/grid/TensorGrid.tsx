import type { ReadonlySignal } from '@preact/signals';
import { MIN_TEXT_CELL } from '../cell-texts';
import type { ColorScale } from '../color-scale';
import { LoadingNotice } from '../LoadingNotice';
import { lazy } from '../lazy';
import { theme } from '../theme';
import type { GridData } from './grid-data';
import { fullCols, fullRows } from './grid-data';
import type { GridEvents } from './grid-events';
import type { Mark } from './marks';
import { NumberGrid } from './NumberGrid';
import type { PhotoPlanes } from './pixels';
import './grid-box.css';

export interface TensorGridProps extends GridEvents {
  /** The accessible name. */
  readonly label: string;
  readonly data: GridData;
  readonly scale: ColorScale;
  /** Cell size in CSS pixels; may be less than 1. */
  readonly size: number;
  readonly marks: ReadonlySignal<readonly Mark[]>;
  readonly photo?: PhotoPlanes | undefined;
}

/** Lazy: the first problem has no maps. */
const heatGrid = lazy(async () => (await import('./HeatGrid')).HeatGrid);

/** More DOM elements than this make a slider stutter. */
const MOST_ELEMENTS = 1200;

/** A grid of values: text if the cells are large enough, else a color map with a lens, pan and zoom. */
export function TensorGrid({ size, photo, ...props }: TensorGridProps) {
  const rows = fullRows(props.data);
  const cols = fullCols(props.data);
  const readable = size >= MIN_TEXT_CELL && rows * cols <= MOST_ELEMENTS && !photo;
  if (readable) return <NumberGrid {...props} theme={theme.value} size={size} />;
  const [width, height] = [cols * size, rows * size];
  const HeatGrid = heatGrid();
  if (!HeatGrid) {
    return (
      <div class="grid-box" style={{ width: `${width}px`, height: `${height}px` }}>
        <LoadingNotice what="The map" of={[heatGrid]} />
      </div>
    );
  }
  return <HeatGrid {...props} theme={theme.value} width={width} height={height} photo={photo} />;
}
