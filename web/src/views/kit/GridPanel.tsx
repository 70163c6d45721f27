import { type ReadonlySignal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { GridName } from '../../protocol/problem';
import type { ColorScale } from '../../ui/color-scale';
import { fullCols, fullRows, type GridEvents } from '../../ui/grid/grid-data';
import type { Mark } from '../../ui/grid/marks';
import { type Fit, TensorGrid, type TensorGridProps } from '../../ui/grid/TensorGrid';
import { TitledGrid, type TitledGridProps } from '../../ui/grid/TitledGrid';
import { gridFit, showsValues } from './fit';
import { kitParts } from './second';
import { LayoutBox } from './stage/LayoutBox';
import type { Box } from './stage/layout';
import './panel.css';

interface PanelProps extends Omit<TitledGridProps, 'accent' | 'twin'> {
  readonly tensor: GridName;
  /** Several slices: the name of the group of a grid and choosers. */
  readonly group?: string | null;
  readonly accent?: string | undefined;
  readonly scale: ColorScale;
  readonly marker?: ReadonlySignal<number | null> | undefined;
  readonly legend?: boolean;
  readonly note?: string | undefined;
  /** Left indent of the grid in CSS pixels, so that its columns are below those of its twin. */
  readonly indent?: number;
  /** CSS class of the frame; null: the children draw their own frames. */
  readonly frameClass?: string | null;
  readonly below?: ComponentChildren;
}

/** A grid with its name, a frame in its tensor's color, and a legend. */
export function Panel(props: PanelProps) {
  const { tensor, group, accent, scale, marker, note, indent = 0, frameClass = '', legend = true, ...rest } = props;
  const { title, subtitle, heading, size, below, children } = rest;
  const ColorLegend = legend && kitParts.value?.ColorLegend;
  return (
    <div class={`panel panel--${tensor}`} {...(group ? { role: 'group', 'aria-label': group } : {})}>
      <TitledGrid
        title={title}
        subtitle={subtitle}
        heading={heading}
        size={size}
        accent={accent ?? accentOf(tensor)}
        twin={tensor.startsWith('d')}
      >
        {frameClass === null ? (
          children
        ) : (
          <div class={`panel__frame ${frameClass}`} style={indent > 0 ? { '--indent': `${indent}px` } : {}}>
            {children}
          </div>
        )}
      </TitledGrid>
      {ColorLegend && <ColorLegend scale={scale} marker={marker} />}
      {note && <p class="panel__note caption">{note}</p>}
      {below}
    </div>
  );
}

/** The color of the tensor that a grid shows or belongs to. */
export const accentOf = (name: GridName): string => `var(--id-${name.replace(/^d/, '').charAt(0)})`;

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
  const drawn = typeof fit === 'number' ? gridFit(rows, cols, fit, photo !== undefined) : fit;
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
