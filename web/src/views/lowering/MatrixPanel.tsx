import type { ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { cellAt, type MatrixForm } from '../../geometry/grid';
import { fromShown, shownGrid } from '../../geometry/matrix';
import { isPaddingEntry } from '../../geometry/window';
import type { Highlights } from '../../look/look-store';
import type { Geometry, Tensor } from '../../protocol/problem';
import { type GridData, NO_RING, type Spot } from '../../ui/grid/grid-data';
import { HeatGrid } from '../../ui/grid/HeatGrid';
import type { Mark } from '../../ui/grid/marks';
import { NumberGrid } from '../../ui/grid/NumberGrid';
import { formatCount } from '../../ui/quantities';
import { theme } from '../../ui/theme';
import { AROUND } from '../kit/fit';
import { MapNavigator } from '../kit/MapNavigator';
import { Panel } from '../kit/Panel';
import { LayoutBox } from '../kit/stage/LayoutBox';
import type { Box } from '../kit/stage/layout';
import { stageEvents } from '../kit/stage-events';
import { useDerived, useGeometry, useViewModel } from '../kit/view-model';
import { AxisLabels } from './AxisLabels';
import { firstMarked, marksOnMatrix } from './matrix-marks';
import type { MatrixName } from './matrix-products';
import { type Sizing, sizingOf } from './sizing';
import './matrix.css';

export interface MatrixPanelProps {
  readonly name: MatrixName;
  readonly form: MatrixForm;
  readonly tensor: Tensor;
  readonly group: number;
  readonly title: string;
  readonly subtitle: string;
  /** The outlines; the panel scrolls to them when they change. */
  readonly lit: ReadonlySignal<Highlights | null>;
  /** More marks, drawn below those of `lit`. */
  readonly under?: readonly Mark[];
  readonly box: Box;
  /** Largest side of its cells. */
  readonly most?: number | undefined;
}

const NONE: readonly Mark[] = [];
/** Largest height in a stack, in CSS pixels. */
const STACKED = 420;

/** One matrix of a group, in any form. A large one is drawn in part, with an overview to navigate. */
export function MatrixPanel(props: MatrixPanelProps) {
  const { name, form, tensor, group, title, subtitle, lit, under = NONE, box, most } = props;
  const { content, layout, highlights, transfer, events } = useViewModel();
  const g = useGeometry();
  const { order, transposed } = form;
  const spread = transfer.value;
  const data = useMemo(
    () => dataOf(g, name, { order, transposed }, tensor, group),
    [g, name, order, transposed, tensor, group],
  );
  const scale = useMemo(
    () => ({ maxAbs: tensor.stats.max_abs, ramp: 'signed', transfer: spread }) as const,
    [tensor.stats.max_abs, spread],
  );
  const own = useDerived(
    () => (lit.value ? marksOnMatrix(g, name, group, { order, transposed }, lit.value) : NONE),
    [lit, g, name, group, order, transposed],
  );
  const marks = useDerived(() => [...under, ...own.value], [under, own]);
  const look = useDerived(() => firstMarked(own.value, name, highlights.value), [own, name, highlights]);
  const handlers = useMemo(
    () =>
      stageEvents(
        g,
        data,
        ({ row, col }) =>
          cellAt(g, name, fromShown(g, name, { slice: group, row, col, channel: 0 }, { order, transposed })),
        { content, events },
      ),
    [data, g, name, group, order, transposed, content, events],
  );
  const { rows, cols } = data;
  const common = {
    label: `${name}${transposed ? ' transposed' : ''}`,
    data,
    scale,
    theme: theme.value,
    marks,
    ...handlers,
  };
  const stacked = layout.value.arrangement === 'stack';
  const height = stacked ? STACKED : box.height - AROUND.head - AROUND.frame - AROUND.legend;
  const sizing = sizingOf(rows, cols, stacked ? layout.value.width : box.width, height, most);
  return (
    <LayoutBox box={box}>
      <div class="matrix">
        <Panel
          tensor={name}
          title={title}
          subtitle={subtitle}
          size={`${formatCount(rows)} × ${formatCount(cols)}`}
          scale={scale}
          frameClass={sizing.kind === 'map' ? overviewClass(rows, cols, sizing) : null}
        >
          {sizing.kind === 'numbers' ? (
            <AxisLabels geometry={g} name={name} form={form} size={sizing.size}>
              <div class="panel__frame">
                <NumberGrid {...common} size={sizing.size} />
              </div>
            </AxisLabels>
          ) : (
            <HeatGrid
              {...common}
              width={sizing.width}
              height={sizing.height}
              least={sizing.least}
              scrollTo={look}
              overview={(map) => <MapNavigator {...map} />}
            />
          )}
        </Panel>
      </div>
    </LayoutBox>
  );
}

function dataOf(g: Geometry, name: MatrixName, form: MatrixForm, tensor: Tensor, group: number): GridData {
  const { transposed } = form;
  const { size, stride } = shownGrid(g, name, form);
  const { row: rows, col: cols } = size;
  // Column of the untransposed matrix, by displayed column: computed once, not for each entry.
  const taps = Int32Array.from({ length: transposed ? rows : cols }, (_, i) => {
    const at = { slice: 0, row: transposed ? i : 0, col: transposed ? 0 : i, channel: 0 };
    return fromShown(g, name, at, form).col;
  });
  const padded = ({ row, col }: Spot) =>
    transposed ? isPaddingEntry(g, col, taps[row] ?? 0) : isPaddingEntry(g, row, taps[col] ?? 0);
  return {
    rows,
    cols,
    values: tensor.data,
    offset: group * stride.slice,
    rowStep: stride.row,
    colStep: stride.col,
    ring: NO_RING,
    ...(name === 'x_col' ? { padded } : {}),
  };
}

/** CSS class that leaves room for the overview: beside a tall map, above a wide one. */
function overviewClass(rows: number, cols: number, map: Extract<Sizing, { kind: 'map' }>): string {
  if (rows * map.least <= map.height + 1 && cols * map.least <= map.width + 1) return '';
  return rows >= cols ? 'matrix__map' : 'matrix__map--wide';
}
