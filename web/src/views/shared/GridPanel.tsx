import { type ReadonlySignal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { GridName } from '../../protocol/problem';
import { fullCols, fullRows, type GridEvents, sized } from '../../ui/grid/grid-data';
import type { MapOptions } from '../../ui/grid/HeatGrid';
import type { Mark } from '../../ui/grid/marks';
import { type GridProps, NumberGrid } from '../../ui/grid/NumberGrid';
import { lazy } from '../../ui/lazy';
import { LoadingNotice } from '../../ui/notices';
import { sharedParts } from './deferred';
import { type Fit, gridFit, mapOf } from './fit';
import { LayoutBox } from './stage/LayoutBox';
import type { Box } from './stage/layout';
import './panel.css';

export interface GridPanelProps extends Pick<GridProps, 'label' | 'data' | 'scale'>, MapOptions {
  readonly tensor: GridName;
  /** Default: the name of the tensor. */
  readonly title?: string;
  readonly subtitle: string;
  /** In place of title and subtitle. */
  readonly heading?: ComponentChildren;
  /** Default: rows × columns of the data. */
  readonly size?: string;
  /** CSS color of the frame and title; default: that of the tensor. */
  readonly accent?: string | undefined;
  /** Several slices: the name of the group of a grid and choosers. */
  readonly group?: string | null;
  readonly marker?: ReadonlySignal<number | null> | undefined;
  /** Default: where there are no values. */
  readonly legend?: boolean;
  readonly note?: string | undefined;
  /** Left indent of the grid in CSS pixels, so that its columns are below those of its twin. */
  readonly indent?: number;
  readonly below?: ComponentChildren;
  /** A number: the cell size of the whole grid. */
  readonly fit: Fit | number;
  readonly marks?: ReadonlySignal<readonly Mark[]>;
  /** Without them, cells are not explained. */
  readonly events?: GridEvents;
  /** Position on the stage; without it, the panel is in the flow of its parent. */
  readonly box?: Box | undefined;
  /** Draws labels or other grids around `grid`, the framed values. */
  readonly around?: ((grid: ComponentChildren, size: number) => ComponentChildren) | undefined;
  /** Over the cells. */
  readonly over?: ComponentChildren;
  /** Drawn in place of the grid. */
  readonly picture?: ComponentChildren;
}

/** Lazy: the first problem has no maps. */
const heatGrid = lazy('The map', async () => (await import('../../ui/grid/HeatGrid')).HeatGrid);

/** The color of the tensor that a grid shows or belongs to. */
export const accentOf = (name: GridName): string => `var(--id-${name.replace(/^d/, '').charAt(0)})`;

const NO_MARKS = signal<readonly Mark[]>([]);
const nothing = () => undefined;
const NO_EVENTS: GridEvents = { onHover: nothing, onMove: nothing, onPick: nothing };

/**
 * A grid with its name, a frame in its tensor's color, and a legend: the panel of every tensor, stage, matrix and map. Text if
 * the cells are large enough, else a color map with a lens, pan and zoom.
 */
export function GridPanel(props: GridPanelProps) {
  const {
    tensor,
    title = tensor,
    subtitle,
    heading,
    group,
    accent = accentOf(tensor),
    legend,
    indent = 0,
    box,
    around,
  } = props;
  const { label, data, scale, fit, marks = NO_MARKS, events = NO_EVENTS, photo, scrollTo, overview } = props;
  const [rows, cols] = [fullRows(data), fullCols(data)];
  const plain = typeof fit === 'number' ? gridFit(rows, cols, fit) : fit;
  // A photo is always a map.
  const drawn = photo && plain.kind === 'numbers' ? mapOf(rows, cols, plain.size) : plain;
  const size = props.size ?? `${data.rows} × ${data.cols}`;
  const gridProps = { label, about: `${subtitle} ${size}`, data, scale, marks, ...events };
  const draw = () => {
    if (drawn.kind === 'numbers') return <NumberGrid {...gridProps} size={drawn.size} />;
    const HeatGrid = heatGrid();
    return HeatGrid ? (
      <HeatGrid {...gridProps} {...{ photo, scrollTo, overview }} room={drawn} />
    ) : (
      <div class="grid-box" style={sized(drawn.width, drawn.height)}>
        <LoadingNotice of={heatGrid} />
      </div>
    );
  };
  // The overview of a part is beside a tall map, above a wide one.
  const isPart =
    drawn.kind === 'map' && (rows * drawn.least > drawn.height + 1 || cols * drawn.least > drawn.width + 1);
  const frame = (
    <div
      class={`panel__frame ${isPart ? `panel__frame--${rows >= cols ? 'tall' : 'wide'}` : ''}`}
      style={indent > 0 ? { '--indent': `${indent}px` } : {}}
    >
      {props.picture ?? draw()}
      {props.over}
    </div>
  );
  const ColorLegend = (legend ?? plain.kind === 'map') && sharedParts.value?.ColorLegend;
  const panel = (
    <div class={`panel panel--${tensor}`} {...(group ? { role: 'group', 'aria-label': group } : {})}>
      <div class={tensor.startsWith('d') ? 'figure figure--twin' : 'figure'} style={{ '--accent': accent }}>
        <div class="figure__head">
          {heading || (
            <>
              <span class="figure__title">{title}</span>
              <span class="figure__subtitle caption">{subtitle}</span>
            </>
          )}
          <span class="figure__size">{size}</span>
        </div>
        {around && drawn.kind === 'numbers' ? around(frame, drawn.size) : frame}
      </div>
      {ColorLegend && <ColorLegend scale={scale} marker={props.marker} />}
      {props.note && <p class="panel__note caption">{props.note}</p>}
      {props.below}
    </div>
  );
  return box ? <LayoutBox box={box}>{panel}</LayoutBox> : panel;
}
