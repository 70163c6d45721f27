import type { ComponentChildren } from 'preact';
import type { MatrixForm } from '../../geometry/grid';
import { fromShown, outputOfRow, shownGrid, tapOfColumn } from '../../geometry/matrix';
import type { Geometry } from '../../protocol/problem';
import type { MatrixName } from './matrix-products';

interface AxisLabelsProps {
  readonly geometry: Geometry;
  readonly name: MatrixName;
  readonly form: MatrixForm;
  readonly size: number;
  readonly children: ComponentChildren;
}

type Counted = 'window' | 'weight' | 'filter';

/** The meaning of the rows and columns of an untransposed matrix. */
const COUNTED: Readonly<Record<MatrixName, readonly [Counted, Counted]>> = {
  x_col: ['window', 'weight'],
  dx_col: ['window', 'weight'],
  w_col: ['weight', 'filter'],
  dw_col: ['weight', 'filter'],
  y_col: ['window', 'filter'],
  dy_col: ['window', 'filter'],
};

/** Labels of rows and columns: window, weight or filter. Hidden from screen readers: grids name their cells. */
export function AxisLabels({ geometry: g, name, form, size, children }: AxisLabelsProps) {
  const [down, across] = COUNTED[name];
  const [rowWord, colWord] = form.transposed ? [across, down] : [down, across];
  const { row: rows, col: cols } = shownGrid(g, name, form).size;
  const plain = (row: number, col: number) => fromShown(g, name, { slice: 0, row, col, channel: 0 }, form);
  const textOf = (word: Counted, row: number, col: number, upright: boolean) => {
    const p = plain(row, col);
    const index = upright !== form.transposed ? p.row : p.col;
    return labelOf(g, word, index);
  };
  return (
    <div class="axis-labels" style={{ '--cell': `${size}px` }}>
      <span class="axis-labels__words" aria-hidden="true">
        {rowWord} ↓ {colWord} →
      </span>
      <div class="axis-labels__cols" aria-hidden="true">
        {Array.from({ length: cols }, (_, col) => (
          <span key={col}>{textOf(colWord, 0, col, false)}</span>
        ))}
      </div>
      <div class="axis-labels__rows" aria-hidden="true">
        {Array.from({ length: rows }, (_, row) => (
          <span key={row}>{textOf(rowWord, row, 0, true)}</span>
        ))}
      </div>
      <div class="axis-labels__grid">{children}</div>
    </div>
  );
}

/** A window by its output, a weight by its position in the kernel. */
function labelOf(g: Geometry, word: Counted, index: number): string {
  if (word === 'filter') return `k${index}`;
  if (word === 'window') {
    const { n, row, col } = outputOfRow(g, index);
    return g.n > 1 ? `${n},${row},${col}` : `${row},${col}`;
  }
  const { row, col, channel } = tapOfColumn(g, index);
  return g.group_c > 1 ? `${row},${col},${channel}` : `${row},${col}`;
}
