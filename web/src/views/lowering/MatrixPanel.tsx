import { useMemo } from 'preact/hooks';
import { cellAt, type MatrixForm } from '../../geometry/grid';
import { fromShown, shownGrid } from '../../geometry/matrix';
import { isPaddingEntry } from '../../geometry/window';
import type { Geometry, Tensor } from '../../protocol/problem';
import { ColourLegend } from '../../ui/ColourLegend';
import type { Transfer } from '../../ui/colour-scale';
import { GridFigure } from '../../ui/grid/GridFigure';
import { type GridData, NO_RING, type Spot } from '../../ui/grid/grid-data';
import { HeatGrid } from '../../ui/grid/HeatGrid';
import type { Mark } from '../../ui/grid/marks';
import { NumberGrid } from '../../ui/grid/NumberGrid';
import { theme } from '../../ui/theme';
import type { SceneEvents } from '../kit/scene';
import { stageEvents } from '../kit/stage-events';
import { AxisLabels } from './AxisLabels';
import { type MatrixName, twinOf } from './lanes';
import { Overview } from './Overview';
import { type Sizing, sizingOf } from './sizing';
import './matrix.css';

export interface MatrixPanelProps {
  readonly geometry: Geometry;
  readonly name: MatrixName;
  readonly form: MatrixForm;
  readonly tensor: Tensor;
  readonly group: number;
  readonly title: string;
  readonly subtitle: string;
  readonly transfer: Transfer;
  readonly marks: readonly Mark[];
  readonly events: SceneEvents;
  /** A cell, as the matrix is shown, to bring into sight when it changes. */
  readonly look?: Spot | null;
  /** Room in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** One lowered matrix of a group, in any of its forms. A long one is seen in part, with an overview to move in. */
export function MatrixPanel(props: MatrixPanelProps) {
  const {
    geometry: g,
    name,
    form,
    tensor,
    group,
    title,
    subtitle,
    transfer,
    marks,
    events,
    look,
    width,
    height,
  } = props;
  const { order, transposed } = form;
  const grid = useMemo(() => shownGrid(g, name, { order, transposed }), [g, name, order, transposed]);
  const { row: rows, col: cols } = grid.size;
  const cellOf = ({ row, col }: Spot) =>
    cellAt(g, name, fromShown(g, name, { slice: group, row, col, channel: 0 }, form));
  const data = useMemo((): GridData => {
    // Which column of the plain matrix a column is shown for, without asking for each entry.
    const taps = Int32Array.from({ length: transposed ? rows : cols }, (_, i) => {
      const at = { slice: 0, row: transposed ? i : 0, col: transposed ? 0 : i, channel: 0 };
      return fromShown(g, name, at, { order, transposed }).col;
    });
    const padded = ({ row, col }: Spot) =>
      transposed ? isPaddingEntry(g, col, taps[row] ?? 0) : isPaddingEntry(g, row, taps[col] ?? 0);
    return {
      rows,
      cols,
      values: tensor.data,
      offset: group * grid.stride.slice,
      rowStep: grid.stride.row,
      colStep: grid.stride.col,
      ring: NO_RING,
      ...(name === 'x_col' ? { padded } : {}),
    };
  }, [g, name, order, transposed, grid, tensor, group, rows, cols]);
  const scale = useMemo(
    () => ({ maxAbs: tensor.stats.max_abs, ramp: 'signed', transfer }) as const,
    [tensor.stats.max_abs, transfer],
  );
  const common = {
    label: `${name}${transposed ? ' transposed' : ''}, lowering`,
    data,
    scale,
    theme: theme.value,
    marks,
    ...stageEvents(data, cellOf, events),
  };
  const sizing = sizingOf(rows, cols, width, height);
  return (
    <div class="panel matrix">
      <GridFigure
        title={title}
        subtitle={subtitle}
        size={`${rows.toLocaleString('en')} × ${cols.toLocaleString('en')}`}
        accent={twinOf(name)}
        twin={name.startsWith('d')}
      >
        {sizing.kind === 'numbers' ? (
          <AxisLabels geometry={g} name={name} form={form} size={sizing.size}>
            <div class="panel__frame">
              <NumberGrid {...common} size={sizing.size} />
            </div>
          </AxisLabels>
        ) : (
          <div class={`panel__frame ${overviewClass(rows, cols, sizing)}`}>
            <HeatGrid
              {...common}
              width={sizing.width}
              height={sizing.height}
              least={sizing.least}
              look={look ?? null}
              overview={(map) => <Overview {...map} />}
            />
          </div>
        )}
      </GridFigure>
      <ColourLegend scale={scale} marker={null} />
    </div>
  );
}

/** Room for the overview, where there will be one: beside a tall map, above a wide one. */
function overviewClass(rows: number, cols: number, map: Extract<Sizing, { kind: 'map' }>): string {
  if (rows * map.least <= map.height + 1 && cols * map.least <= map.width + 1) return '';
  return rows >= cols ? 'matrix__map' : 'matrix__map--wide';
}
