import { type ReadonlySignal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { fullCols, fullRows, type GridEvents } from '../../ui/grid/grid-data';
import type { Mark } from '../../ui/grid/marks';
import { type Fit, TensorGrid, type TensorGridProps } from '../../ui/grid/TensorGrid';
import { fitOf, showsValues } from './fit';
import { Panel, type PanelProps } from './Panel';
import { LayoutBox } from './stage/LayoutBox';
import type { Box } from './stage/layout';

export interface GridPanelProps
  extends Omit<PanelProps, 'size' | 'frameClass' | 'children'>,
    Pick<TensorGridProps, 'label' | 'data' | 'photo' | 'scrollTo' | 'overview'> {
  /** Default: rows × columns of the data. */
  readonly size?: string;
  /** A number: the cell size of the whole grid. */
  readonly fit: Fit | number;
  readonly marks?: ReadonlySignal<readonly Mark[]>;
  /** Without them, cells are not explained. */
  readonly events?: GridEvents;
  /** Position on the stage; without it, the panel is in the flow of its parent. */
  readonly box?: Box | undefined;
  /** Draws labels or other grids around `grid`, the framed values. */
  readonly around?: ((grid: ComponentChildren, size: number) => ComponentChildren) | undefined;
}

const NO_MARKS = signal<readonly Mark[]>([]);
const nothing = () => undefined;
const NO_EVENTS: GridEvents = { onHover: nothing, onMove: nothing, onPick: nothing };

/** A panel with one grid: the panel of every tensor, stage, matrix and map. */
export function GridPanel(props: GridPanelProps) {
  const { label, data, fit, size, marks = NO_MARKS, events = NO_EVENTS, photo, scrollTo, overview, ...rest } = props;
  const [rows, cols] = [fullRows(data), fullCols(data)];
  const hasValues = typeof fit === 'number' ? showsValues(rows, cols, fit) : fit.kind === 'numbers';
  // Values need no legend.
  const { box, around, legend = !hasValues, ...panel } = rest;
  const drawn = typeof fit === 'number' ? fitOf(rows, cols, fit, photo !== undefined) : fit;
  const grid = (
    <TensorGrid {...{ label, data, marks, photo, scrollTo, overview, ...events }} scale={panel.scale} fit={drawn} />
  );
  const content = (
    <Panel
      {...panel}
      legend={legend}
      size={size ?? `${data.rows} × ${data.cols}`}
      frameClass={around && drawn.kind === 'numbers' ? null : classOf(drawn, rows, cols)}
    >
      {around && drawn.kind === 'numbers' ? around(<div class="panel__frame">{grid}</div>, drawn.size) : grid}
    </Panel>
  );
  return box ? <LayoutBox box={box}>{content}</LayoutBox> : content;
}

/** CSS class that leaves room for the overview of a part: beside a tall map, above a wide one. */
function classOf(fit: Fit, rows: number, cols: number): string {
  if (fit.kind === 'numbers' || (rows * fit.least <= fit.height + 1 && cols * fit.least <= fit.width + 1)) return '';
  return rows >= cols ? 'panel__frame--tall' : 'panel__frame--wide';
}
