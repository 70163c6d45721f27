import type { ReadonlySignal } from '@preact/signals';
import type { ColourScale } from '../colour-scale';
import { LateNotice } from '../LateNotice';
import { late } from '../late';
import { cellFormat } from '../numbers';
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
  readonly scale: ColourScale;
  /** Side of a cell in CSS pixels; may be a fraction of a pixel. */
  readonly size: number;
  readonly marks: ReadonlySignal<readonly Mark[]>;
  readonly photo?: PhotoPlanes | undefined;
}

/** The problem that the page opens with is all figures. */
const heatGrid = late(async () => (await import('./HeatGrid')).HeatGrid);

/** More elements than this make a slider jump instead of glide. */
const MOST_ELEMENTS = 1200;

/** A grid of values in the form that its cell size allows: figures, colours with a lens, or a map to pan and zoom. */
export function TensorGrid({ size, photo, ...props }: TensorGridProps) {
  const rows = fullRows(props.data);
  const cols = fullCols(props.data);
  const readable = cellFormat(size) !== null && rows * cols <= MOST_ELEMENTS && !photo;
  if (readable) return <NumberGrid {...props} theme={theme.value} size={size} />;
  const [width, height] = [cols * size, rows * size];
  const HeatGrid = heatGrid();
  if (!HeatGrid) {
    return (
      <div class="grid-box" style={{ width: `${width}px`, height: `${height}px` }}>
        <LateNotice what="The map" of={[heatGrid]} />
      </div>
    );
  }
  return <HeatGrid {...props} theme={theme.value} width={width} height={height} photo={photo} />;
}
