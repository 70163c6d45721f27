// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be laid out by cell size nor drop the cells out of sight; the ARIA grid pattern says the same
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the cells, rows are not focusable in an ARIA grid
import { effect, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ColourScale } from '../colour-scale';
import { lutIndex, lutOf } from '../colour-scale';
import { type CellFormat, cellFormat, formatCell, formatExact } from '../numbers';
import type { Theme } from '../palette';
import { pure } from '../pure';
import { EditBox, type Editing, startOf } from './EditBox';
import type { CellKind, GridData, Spot } from './grid-data';
import { counted, fullCols, fullRows, kindOf, sameCell, spokenAs, startText, valueAt } from './grid-data';
import type { EditStart, GridEvents } from './grid-events';
import { isReadOnly, onGridKey, staysIn, takesValue } from './grid-events';
import { MarkLayer } from './MarkLayer';
import type { Mark } from './marks';
import './grid-box.css';
import './number-grid.css';

export interface NumberGridProps extends GridEvents {
  readonly label: string;
  readonly data: GridData;
  readonly scale: ColourScale;
  readonly theme: Theme;
  /** Side of a cell in CSS pixels, large enough for figures. */
  readonly size: number;
  readonly marks: ReadonlySignal<readonly Mark[]>;
}

const NO_FORMAT = { digits: 1, chars: 4 };

/** A grid whose cells are elements: every figure can be read, reached by keyboard and edited where it stands. */
export function NumberGrid(props: NumberGridProps) {
  const { label, data, scale, theme, size, marks, onHover, onMove, onPick, onEdit, nameOf } = props;
  const root = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<Spot>({ row: 0, col: 0 });
  const [editing, setEditing] = useState<Editing | null>(null);
  const begin = (start: EditStart) => setEditing(startOf(start));
  const rows = fullRows(data);
  const cols = fullCols(data);

  const shown = isInside(data, active) ? active : { row: 0, col: 0 };
  // Roving tabindex, and the name of the cell that has it, set on the element so that moving it does not render the
  // cells; other numbers are other elements, and every rendering says the name anew.
  useLayoutEffect(() => {
    const cell = cellElement(root.current, shown);
    if (!cell) return;
    const plain = cell.getAttribute('aria-label');
    cell.setAttribute('tabindex', '0');
    const forget = effect(() => {
      const name = nameOf?.(shown);
      if (name) cell.setAttribute('aria-label', spokenAs(name, kindOf(data, shown), cell.textContent || '0'));
    });
    return () => {
      forget();
      cell.setAttribute('tabindex', '-1');
      if (plain === null) cell.removeAttribute('aria-label');
      else cell.setAttribute('aria-label', plain);
    };
  });

  const events: GridEvents = {
    onHover,
    onPick,
    onEdit,
    guesses: props.guesses === true,
    onMove: (cell) => {
      setActive(cell);
      cellElement(root.current, cell)?.focus({ preventScroll: false });
      onMove(cell);
    },
  };

  return (
    <div class="grid-box" style={{ width: `${cols * size}px`, height: `${rows * size}px` }}>
      <div
        ref={root}
        role="grid"
        class="number-grid"
        style={{ '--cell': `${size}px` }}
        aria-label={label}
        aria-rowcount={rows}
        aria-colcount={cols}
        aria-readonly={isReadOnly(props)}
        onPointerOver={(event) => {
          if (event.pointerType !== 'touch') onHover(cellOf(event.target));
        }}
        onPointerLeave={() => onHover(null)}
        onFocusIn={(event) => {
          const cell = cellOf(event.target);
          // A screen reader may put the focus on any cell.
          if (cell && !sameCell(cell, shown)) setActive(cell);
          onHover(cell);
        }}
        onFocusOut={(event) => {
          if (!staysIn(event)) onHover(null);
        }}
        onClick={(event) => {
          const cell = cellOf(event.target);
          if (!cell) return;
          setActive(cell);
          onPick(cell);
        }}
        onDblClick={(event) => {
          const cell = cellOf(event.target);
          if (cell && takesValue(data, cell, props)) begin({ cell, typed: null });
        }}
        onKeyDown={(event) => onGridKey(event, data, cellOf(event.target) ?? shown, events, begin)}
      >
        <Cells data={data} scale={scale} theme={theme} size={size} />
      </div>
      <MarkLayer
        marks={marks}
        size={size}
        originRow={-data.ring.top}
        originCol={-data.ring.left}
        width={cols * size}
        height={rows * size}
      />
      {editing && (
        <EditBox
          key={editing.number}
          label={`new value for ${label} row ${editing.cell.row}, column ${editing.cell.col}`}
          initial={editing.typed ?? startText(data, editing.cell)}
          typed={editing.typed !== null}
          x={(editing.cell.col + data.ring.left) * size}
          y={(editing.cell.row + data.ring.top) * size}
          size={size}
          onDone={(value) => {
            setEditing(null);
            cellElement(root.current, editing.cell)?.focus();
            if (value !== null && !Object.is(value, valueAt(data, editing.cell))) onEdit?.(editing.cell, value);
          }}
        />
      )}
    </div>
  );
}

type CellsProps = Pick<NumberGridProps, 'data' | 'scale' | 'theme' | 'size'>;

/** Rendered when a value changes: a hover renders the marks and nothing else. */
const Cells = pure(Rows, (before, now) => {
  const [a, b] = [before.scale, now.scale];
  const coloured = a.maxAbs === b.maxAbs && a.ramp === b.ramp && a.transfer === b.transfer;
  return coloured && before.data === now.data && before.theme === now.theme && before.size === now.size;
});

function Rows({ data, scale, theme, size }: CellsProps) {
  const lut = lutOf(theme, scale.ramp);
  const format = cellFormat(size) ?? NO_FORMAT;
  const texts = textsOf(data, format);
  const font = fontClass(texts);
  const rows = [];
  let next = 0;
  for (let row = -data.ring.top; row < data.rows + data.ring.bottom; row += 1) {
    const cells = [];
    for (let col = -data.ring.left; col < data.cols + data.ring.right; col += 1) {
      const cell = { row, col };
      const kind = kindOf(data, cell);
      const value = valueAt(data, cell);
      const index = lutIndex(value, scale);
      const text = texts[next] ?? '';
      next += 1;
      cells.push(
        <div
          key={col}
          role="gridcell"
          tabIndex={-1}
          class={`cell cell--${kind}${font}`}
          style={
            kind === 'data' || kind === 'hidden'
              ? { background: lut.css[index] ?? '', color: lut.ink[index] ?? '' }
              : ''
          }
          aria-colindex={counted(col, data.cols)}
          {...spoken(kind, value, text)}
          data-row={row}
          data-col={col}
          data-value={value}
        >
          {text}
        </div>,
      );
    }
    rows.push(
      <div key={row} role="row" class="number-grid__row" aria-rowindex={counted(row, data.rows)}>
        {cells}
      </div>,
    );
  }
  return <>{rows}</>;
}

/** The figure is the cell's name; what it leaves out is its description. */
function spoken(kind: CellKind, value: number, text: string): Record<string, string> {
  if (kind === 'hidden' || kind === 'nothing') return { 'aria-label': kind };
  if (kind !== 'data') return { 'aria-label': `${kind} 0` };
  const exact = formatExact(value);
  return exact === text ? {} : { 'aria-description': exact };
}

function textsOf(data: GridData, format: CellFormat): readonly string[] {
  const texts = [];
  for (let row = -data.ring.top; row < data.rows + data.ring.bottom; row += 1) {
    for (let col = -data.ring.left; col < data.cols + data.ring.right; col += 1) {
      const spot = { row, col };
      const kind = kindOf(data, spot);
      texts.push(kind === 'padding' || kind === 'nothing' ? '' : formatCell(valueAt(data, spot), format));
    }
  }
  return texts;
}

/** One size of type for the whole grid, after its longest figure: mixed sizes would read as emphasis. */
function fontClass(texts: readonly string[]): string {
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 0);
  if (longest > 4) return ' cell--long';
  return longest <= 2 ? ' cell--short' : '';
}

function isInside({ rows, cols, ring }: GridData, { row, col }: Spot): boolean {
  return row >= -ring.top && row < rows + ring.bottom && col >= -ring.left && col < cols + ring.right;
}

function cellElement(root: HTMLElement | null, { row, col }: Spot): HTMLElement | null {
  return root?.querySelector<HTMLElement>(`[data-row="${row}"][data-col="${col}"]`) ?? null;
}

function cellOf(target: EventTarget | null): Spot | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[role="gridcell"]') : null;
  if (!element) return null;
  return { row: Number(element.dataset.row), col: Number(element.dataset.col) };
}
