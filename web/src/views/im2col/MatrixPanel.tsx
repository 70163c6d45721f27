import type { ComponentChildren } from 'preact';
import type { MatrixForm } from '../../geometry/grid';
import { fromShown, outputOfRow, shownGrid, tapOfColumn } from '../../geometry/matrix';
import type { Geometry } from '../../protocol/problem';
import { AROUND, LARGEST_TENSOR, largest, READABLE, type Room, showsValues } from '../shared/fit';
import type { FitLimits } from '../shared/fit-grid';
import { MapNavigator } from '../shared/MapNavigator';
import { COUNTED, type Counted, type MatrixName, symbolOf } from '../shared/matrix-product';
import { StagePanel, type StagePanelProps } from '../shared/StagePanel';
import { colsOf, heightOf, STACK_BELOW, type StageLayout, stripsOf, wholeStage } from '../shared/stage/layout';
import { useGeometry } from '../shared/view-model';

/** Room for the labels; a part has cells that a pointer can hit. */
export const MATRIX_LIMITS = {
  ...{ beside: 32, above: 28 },
  whole: { least: Number.POSITIVE_INFINITY },
  part: { least: 2, most: 23 },
} as const satisfies FitLimits;

/** Gap between x and its matrix. */
const GAP = 20;
/** Least width of x, and least height of the controls below it. */
const TITLE = 174;
const CONTROLS = { x_col: 180, dx_col: 226 } as const;
/** Rows or columns that a part of the matrix shows at least; and the room for its overview. */
const LEAST_SEEN = 15;
const OVERVIEW = 52;

/** Least width of the controls beside x, and how much larger cells must be for that. */
const CONTROLS_WIDE = 260;
const LARGER = 1.1;

/**
 * x (or dx) and its matrix side by side, with cells of one size where the matrix or a part of it shows values; or the matrix below x,
 * if its cells are then larger.
 */
export function besideMatrix(g: Geometry, layout: StageLayout, name: keyof typeof CONTROLS, form: MatrixForm) {
  const { row: rows, col: cols } = shownGrid(g, name, form).size;
  const all = wholeStage(layout);
  const wide = (cell: number) => Math.max(TITLE, colsOf(g, 'x') * cell + AROUND.frame);
  const { beside, above } = MATRIX_LIMITS;
  // `seen`: rows and columns of the matrix that are shown with cells of this size.
  const fits = (size: number, seen: { readonly rows: number; readonly cols: number }, around: Room) => {
    const across = wide(size) + GAP + around.width + seen.cols * size + AROUND.frame;
    const down = Math.max(
      around.height + seen.rows * size + AROUND.head + AROUND.frame,
      heightOf(g, 'x', size) + CONTROLS[name],
    );
    return across <= all.width && down <= all.height;
  };
  const cell = largest(LARGEST_TENSOR, (size) => fits(size, { rows, cols }, { width: beside, height: above }));
  const highOf = (size: number) => Math.max(heightOf(g, 'x', size), CONTROLS[name]) + GAP;
  const matrixOf = (size: number) => ({
    width: beside + cols * size + AROUND.frame,
    height: above + rows * size + AROUND.head + AROUND.frame,
  });
  const below = largest(LARGEST_TENSOR, (size) => {
    const { width, height } = matrixOf(size);
    const across = Math.max(width, Math.max(wide(size), stripsOf(g, 'x')) + GAP + CONTROLS_WIDE);
    return across <= all.width && highOf(size) + height <= all.height;
  });
  if (layout.arrangement === 'stage' && below >= LARGER * cell && showsValues(rows, cols, below)) {
    const left = Math.floor((all.width - Math.max(matrixOf(below).width, wide(below) + GAP + CONTROLS_WIDE)) / 2);
    const box = { ...all, left, width: all.width - left };
    const top = highOf(below);
    return {
      ...{ cell: below, limits: { readable: READABLE, most: below }, isBelow: true },
      left: { ...box, height: top },
      right: { ...box, top, height: all.height - top },
    };
  }
  const isWhole = showsValues(rows, cols, cell);
  const tall = rows >= cols;
  const few = (count: number) => Math.min(count, LEAST_SEEN);
  const [seen, around] = tall
    ? [
        { rows: few(rows), cols },
        { width: OVERVIEW, height: AROUND.legend },
      ]
    : [
        { rows, cols: few(cols) },
        { width: 0, height: OVERVIEW + AROUND.legend },
      ];
  const part = largest(LARGEST_TENSOR, (size) => fits(size, seen, around));
  const one = isWhole ? cell : part;
  const isStage = layout.arrangement === 'stage';
  const isOne = isStage && one >= READABLE;
  const own = isOne ? one : layout.cell.x;
  const most = isOne ? own : isStage ? LARGEST_TENSOR : Math.max(own, READABLE);
  const limits = { readable: isOne && !isWhole ? part : READABLE, most };
  if (layout.width < STACK_BELOW.width) return { cell: own, limits, isBelow: false, left: all, right: all };
  const width = Math.max(wide(own), stripsOf(g, 'x'));
  const { width: beyond } = isWhole ? { width: beside } : around;
  const used = width + GAP + beyond + cols * own + AROUND.frame;
  // Centered, if its cells cannot fill the width.
  const spare = isOne && (isWhole || tall) ? Math.max(0, all.width - used) : 0;
  const left = Math.floor(spare / 2);
  const beyondX = left + width + GAP;
  return {
    ...{ cell: own, limits, isBelow: false },
    left: { ...all, left, width },
    right: { ...all, left: beyondX, width: all.width - beyondX },
  };
}

/** One matrix of a group, in any form. A large one is drawn in part, with an overview to navigate. */
export function MatrixPanel({
  group,
  limits,
  subtitle,
  ...props
}: Pick<StagePanelProps, 'tensor' | 'subtitle' | 'lit' | 'under' | 'box'> & {
  name: MatrixName;
  form: MatrixForm;
  group: number;
  /** Of its cells, so that they have the size of those of x. */
  limits: Pick<FitLimits, 'readable' | 'most'>;
}) {
  const g = useGeometry();
  const { name, form } = props;
  return (
    <StagePanel
      {...props}
      title={symbolOf({ name, transposed: form.transposed })}
      subtitle={`${subtitle}${g.groups > 1 ? `, group ${group}` : ''}`}
      slice={group}
      channel={0}
      limits={{ ...MATRIX_LIMITS, ...limits }}
      overview={(map) => <MapNavigator {...map} />}
      around={(grid, size) => (
        <AxisLabels geometry={g} name={name} form={form} size={size}>
          {grid}
        </AxisLabels>
      )}
    />
  );
}

/** Width of a letter, and gap between labels. */
const LABEL = { letter: 6, gap: 4 };

/** Labels of rows and columns: window, weight or filter. Hidden from screen readers: grids name their cells. */
function AxisLabels({
  geometry: g,
  name,
  form,
  size,
  children,
}: {
  geometry: Geometry;
  name: MatrixName;
  form: MatrixForm;
  size: number;
  children: ComponentChildren;
}) {
  const [down, across] = COUNTED[name];
  const [rowWord, colWord] = form.transposed ? [across, down] : [down, across];
  const { row: rows, col: cols } = shownGrid(g, name, form).size;
  const textOf = (word: Counted, row: number, col: number, upright: boolean) => {
    const p = fromShown(g, name, { slice: 0, row, col, channel: 0 }, form);
    return labelOf(g, word, upright !== form.transposed ? p.row : p.col);
  };
  const columns = Array.from({ length: cols }, (_, col) => textOf(colWord, 0, col, false));
  // Labels that are wider than a cell would overlap.
  const every = Math.ceil((LABEL.gap + LABEL.letter * Math.max(...columns.map(({ length }) => length))) / size);
  return (
    <div class="axis-labels" style={{ '--cell': `${size}px` }}>
      <span class="axis-labels__words soft" aria-hidden="true">
        {rowWord} ↓ {colWord} →
      </span>
      <div class="axis-labels__cols" aria-hidden="true">
        {columns.map((text, col) => (
          <span key={col}>{col % every === 0 && text}</span>
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
function labelOf(g: Geometry, word: Counted, index: number) {
  if (word === 'filter') return `k${index}`;
  if (word === 'window') {
    const { n, row, col } = outputOfRow(g, index);
    return g.n > 1 ? `${n},${row},${col}` : `${row},${col}`;
  }
  const { row, col, channel } = tapOfColumn(g, index);
  return g.group_c > 1 ? `${row},${col},${channel}` : `${row},${col}`;
}
