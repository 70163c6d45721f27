// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be laid out by cell size nor leave out invisible cells; the ARIA grid pattern has the same meaning
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the cells, rows are not focusable in an ARIA grid
import { effect, type ReadonlySignal } from '@preact/signals';
import type { Component, ComponentType, FunctionComponent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ColorScale, lutIndex, lutOf, type Theme } from '../color-scale';
import { fitCellTexts, formatExact } from '../numbers';
import { beginEdit, EditBox, type Editing } from './EditBox';
import {
  ariaIndex,
  type CellKind,
  type EditStart,
  focusStaysIn,
  fullCols,
  fullRows,
  type GridData,
  type GridEvents,
  initialEditText,
  isEditable,
  isReadOnly,
  kindOf,
  onGridKey,
  type Spot,
  sameCell,
  spokenText,
  valueAt,
} from './grid-data';
import { type Mark, MarkLayer } from './marks';
import './grid-box.css';
import './number-grid.css';

export interface NumberGridProps extends GridEvents {
  readonly label: string;
  readonly data: GridData;
  readonly scale: ColorScale;
  readonly theme: Theme;
  /** Cell size in CSS pixels, large enough for text. */
  readonly size: number;
  readonly marks: ReadonlySignal<readonly Mark[]>;
}

/** A grid with an element per cell: each value can be read, reached by keyboard and edited in place. */
export function NumberGrid(props: NumberGridProps) {
  const { label, data, scale, theme, size, marks, onHover, onMove, onPick, onEdit, nameOf } = props;
  const root = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<Spot>({ row: 0, col: 0 });
  const [editing, setEditing] = useState<Editing | null>(null);
  const begin = (start: EditStart) => setEditing(beginEdit(start));
  const rows = fullRows(data);
  const cols = fullCols(data);

  const focused = isInside(data, active) ? active : { row: 0, col: 0 };
  // Roving tabindex, and the name of the cell that has it. Set on the element, so that moving it does not re-render the
  // cells; run after each rendering, which may replace the elements.
  useLayoutEffect(() => {
    const cell = cellElement(root.current, focused);
    if (!cell) return;
    const plain = cell.getAttribute('aria-label');
    cell.setAttribute('tabindex', '0');
    const forget = effect(() => {
      const name = nameOf?.(focused);
      if (name)
        cell.setAttribute(
          'aria-label',
          spokenText(name, kindOf(data, focused), cell.textContent || formatExact(valueAt(data, focused))),
        );
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
    guessesOnly: props.guessesOnly === true,
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
          if (cell && !sameCell(cell, focused)) setActive(cell);
          onHover(cell);
        }}
        onFocusOut={(event) => {
          if (!focusStaysIn(event)) onHover(null);
        }}
        onClick={(event) => {
          const cell = cellOf(event.target);
          if (!cell) return;
          setActive(cell);
          onPick(cell);
        }}
        onDblClick={(event) => {
          const cell = cellOf(event.target);
          if (cell && isEditable(data, cell, props)) begin({ cell, typed: null });
        }}
        onKeyDown={(event) => onGridKey(event, data, cellOf(event.target) ?? focused, events, begin)}
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
          initial={editing.typed ?? initialEditText(data, editing.cell)}
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

/** Re-rendered when a value changes; a hover re-renders only the marks. */
const Cells = pure(Rows, (before, now) => {
  const [a, b] = [before.scale, now.scale];
  const colored = a.maxAbs === b.maxAbs && a.ramp === b.ramp && a.transfer === b.transfer;
  return colored && before.data === now.data && before.theme === now.theme && before.size === now.size;
});

function Rows({ data, scale, theme, size }: CellsProps) {
  const lut = lutOf(theme, scale.ramp);
  const { texts, font } = fitCellTexts(valuesOf(data), size);
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
          class={`cell cell--${kind}`}
          style={
            kind === 'data' || kind === 'hidden'
              ? { background: lut.css[index] ?? '', color: lut.ink[index] ?? '' }
              : ''
          }
          aria-colindex={ariaIndex(col, data.cols)}
          {...ariaOf(kind, value, text)}
          data-row={row}
          data-col={col}
          data-value={value}
        >
          {text}
        </div>,
      );
    }
    rows.push(
      <div
        key={row}
        role="row"
        class="number-grid__row"
        style={{ fontSize: `${font}px` }}
        aria-rowindex={ariaIndex(row, data.rows)}
      >
        {cells}
      </div>,
    );
  }
  return <>{rows}</>;
}

/** The text is the cell's accessible name; the exact value, if it differs, is the description. */
function ariaOf(kind: CellKind, value: number, text: string): Record<string, string> {
  if (kind === 'hidden' || kind === 'nothing') return { 'aria-label': kind };
  if (kind !== 'data') return { 'aria-label': `${kind} 0` };
  const exact = formatExact(value);
  // No text fits.
  if (text === '') return { 'aria-label': exact };
  return exact === text ? {} : { 'aria-description': exact };
}

/** The values to show as text; null: none. */
function valuesOf(data: GridData): readonly (number | null)[] {
  const values = [];
  for (let row = -data.ring.top; row < data.rows + data.ring.bottom; row += 1) {
    for (let col = -data.ring.left; col < data.cols + data.ring.right; col += 1) {
      const spot = { row, col };
      const kind = kindOf(data, spot);
      values.push(kind === 'padding' || kind === 'nothing' ? null : valueAt(data, spot));
    }
  }
  return values;
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

type Same<P> = (before: P, now: P) => boolean;

const sameProps = <P extends object>(before: P, now: P): boolean => {
  const names = Object.keys(now) as (keyof P)[];
  return names.length === Object.keys(before).length && names.every((name) => Object.is(before[name], now[name]));
};

/**
 * A component that is not re-rendered while its props are equal. Not useMemo with an element: that element keeps its first
 * tree, which keeps older elements, and so on: a memory leak.
 */
export function pure<P extends object>(Inner: ComponentType<P>, same: Same<P> = sameProps): FunctionComponent<P> {
  return function Pure(this: Component<P>, props: P) {
    this.shouldComponentUpdate = (next) => !same(this.props as P, next as P);
    return <Inner {...props} />;
  } as FunctionComponent<P>;
}
