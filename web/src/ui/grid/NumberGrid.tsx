// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be laid out by cell size nor leave out invisible cells; the ARIA grid pattern has the same meaning
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the cells, rows are not focusable in an ARIA grid

import { effect, type ReadonlySignal } from '@preact/signals';
import { Component } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ColorScale, lutIndex, lutOf, type Theme } from '../color-scale';
import { RefusalNotice } from '../notices';
import { fitCellTexts, formatExact, parseNumber, refusal } from '../numbers';
import { useTheme } from '../theme';
import {
  ariaIndex,
  type CellKind,
  type EditStart,
  type GridData,
  type GridEvents,
  gridAttributes,
  isEditable,
  isInGrid,
  isSameSpot,
  onGridKey,
  type Spot,
  sized,
  spokenText,
  spotKind,
  valueAt,
  wholeView,
} from './grid-data';
import { type Mark, MarkLayer } from './marks';
import './number-grid.css';

/** A cell in CSS pixels. */
type Place = Readonly<Record<'x' | 'y' | 'size', number>>;

/** Edits cells of a grid in place: `begin` opens a text box over a cell; `box` renders it. `focus`: focuses a cell. */
export function useCellEdit(label: string, data: GridData, onEdit: GridEvents['onEdit'], focus: (cell: Spot) => void) {
  // `number` distinguishes edits of the same cell.
  const [editing, setEditing] = useState<(EditStart & { readonly number: number }) | null>(null);
  const edits = useRef(0);
  const begin = (start: EditStart) => {
    edits.current += 1;
    setEditing({ ...start, number: edits.current });
  };
  const box = (placeOf: (cell: Spot) => Place) => {
    if (!editing) return null;
    const { cell, typed, number } = editing;
    const initial = spotKind(data, cell) === 'hidden' ? '' : formatExact(valueAt(data, cell));
    return (
      <EditBox
        key={number}
        {...placeOf(cell)}
        label={`new value for ${label} row ${cell.row}, column ${cell.col}`}
        initial={typed ?? initial}
        typed={typed !== null}
        onDone={(value) => {
          setEditing(null);
          focus(cell);
          if (value !== null && !Object.is(value, valueAt(data, cell))) onEdit?.(cell, value);
        }}
      />
    );
  };
  return { begin, box };
}

const MIN_WIDTH = 64;

/** Enter and blur commit, Esc cancels. Why a text is refused stays below the cell until the next edit. */
function EditBox({
  label,
  initial,
  typed,
  x,
  y,
  size,
  onDone,
}: Place & {
  label: string;
  initial: string;
  /** The text was started by typing: the cursor is at its end instead of selecting it. */
  typed: boolean;
  /** Called with a finite number, or null if the edit was cancelled. */
  onDone: (value: number | null) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [why, setWhy] = useState<string | null>(null);
  const [left, setLeft] = useState(false);
  // Enter removes the box, which blurs it: the second commit is ignored.
  const done = useRef(false);
  const finish = (text: string | null) => {
    if (done.current) return;
    const refused = text === null ? null : refusal(text);
    setWhy(refused);
    if (refused) return;
    done.current = true;
    onDone(text === null ? null : parseNumber(text));
  };

  // In a layout effect, before the next key event: fast typing must not reach the cell behind the box.
  useLayoutEffect(() => {
    const box = input.current;
    box?.focus();
    box?.setSelectionRange(typed ? box.value.length : 0, box.value.length);
  }, [typed]);

  const width = Math.max(size, MIN_WIDTH);
  const height = Math.max(size, 28);
  return (
    <>
      {!left && (
        <input
          ref={input}
          class="edit-box"
          style={{ left: `${x + (size - width) / 2}px`, top: `${y}px`, ...sized(width, height) }}
          aria-label={label}
          aria-invalid={why !== null}
          inputMode="text"
          autocomplete="off"
          spellcheck={false}
          defaultValue={initial}
          onInput={() => setWhy(null)}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === 'Enter') finish(event.currentTarget.value);
            if (event.key === 'Escape') finish(null);
          }}
          onBlur={(event) => {
            finish(event.currentTarget.value);
            setLeft(true);
          }}
          onPointerDown={(event) => event.stopPropagation()}
        />
      )}
      <div class="edit-note" style={{ left: `${x}px`, top: `${y + height}px` }}>
        <RefusalNotice why={why} />
      </div>
    </>
  );
}

export interface GridProps extends GridEvents {
  readonly label: string;
  readonly data: GridData;
  readonly scale: ColorScale;
  readonly marks: ReadonlySignal<readonly Mark[]>;
}

export interface NumberGridProps extends GridProps {
  /** Cell size in CSS pixels, large enough for text. */
  readonly size: number;
}

/** A grid with an element per cell: each value can be read, reached by keyboard and edited in place. */
export function NumberGrid(props: NumberGridProps) {
  const { label, data, scale, size, marks, onHover, onMove, onPick, onEdit, nameOf } = props;
  const theme = useTheme();
  const root = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<Spot>({ row: 0, col: 0 });
  const { begin, box } = useCellEdit(label, data, onEdit, (cell) => cellElement(root.current, cell)?.focus());
  const view = wholeView(data, size);

  const focused = isInGrid(data, active) ? active : { row: 0, col: 0 };
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
          spokenText(name, spotKind(data, focused), cell.textContent || formatExact(valueAt(data, focused))),
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
    ...props,
    onMove: (cell) => {
      setActive(cell);
      cellElement(root.current, cell)?.focus({ preventScroll: false });
      onMove(cell);
    },
  };

  return (
    <div class="grid-box" style={sized(view.width, view.height)}>
      <div
        ref={root}
        class="number-grid"
        style={{ '--cell': `${size}px` }}
        role="grid"
        {...gridAttributes(label, data, props)}
        onPointerOver={(event) => {
          if (event.pointerType !== 'touch') onHover(cellOf(event.target));
        }}
        onPointerLeave={() => onHover(null)}
        onFocusIn={(event) => {
          const cell = cellOf(event.target);
          // A screen reader may put the focus on any cell.
          if (cell && !isSameSpot(cell, focused)) setActive(cell);
          onHover(cell, true);
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
        <Cells {...{ data, scale, theme, size }} />
      </div>
      <MarkLayer marks={marks} view={view} />
      {box(({ row, col }) => ({ x: (col - view.col) * size, y: (row - view.row) * size, size }))}
    </div>
  );
}

type CellsProps = Pick<NumberGridProps, 'data' | 'scale' | 'size'> & { readonly theme: Theme };

/**
 * Re-rendered when a value changes; a hover re-renders only the marks. Not useMemo with an element: that element keeps its
 * first tree, which keeps older elements, and so on: a memory leak.
 */
class Cells extends Component<CellsProps> {
  override shouldComponentUpdate({ data, scale, theme, size }: CellsProps): boolean {
    const before = this.props;
    const [a, b] = [before.scale, scale];
    const recolored = a.maxAbs !== b.maxAbs || a.ramp !== b.ramp || a.transfer !== b.transfer;
    return recolored || before.data !== data || before.theme !== theme || before.size !== size;
  }

  override render() {
    return <Rows {...this.props} />;
  }
}

const range = (from: number, end: number) => Array.from({ length: end - from }, (_, i) => from + i);

function Rows({ data, scale, theme, size }: CellsProps) {
  const lut = lutOf(theme, scale.ramp);
  const { ring } = data;
  const cols = range(-ring.left, data.cols + ring.right);
  const rows = range(-ring.top, data.rows + ring.bottom).map((row) =>
    cols.map((col) => ({ row, col, kind: spotKind(data, { row, col }), value: valueAt(data, { row, col }) })),
  );
  const shown = rows.flat().map(({ kind, value }) => (kind === 'padding' || kind === 'nothing' ? null : value));
  const { texts, font } = fitCellTexts(shown, size);
  return (
    <>
      {rows.map((cells, i) => {
        const row = i - ring.top;
        return (
          <div
            key={row}
            role="row"
            class="number-grid__row"
            style={{ fontSize: `${font}px` }}
            aria-rowindex={ariaIndex(row, data.rows)}
          >
            {cells.map(({ col, kind, value }, j) => {
              const text = texts[i * cols.length + j] ?? '';
              const index = lutIndex(value, scale);
              const colored = kind === 'data' || kind === 'hidden';
              return (
                <div
                  key={col}
                  role="gridcell"
                  tabIndex={-1}
                  class={`cell cell--${kind}${text === '' && colored ? ' cell--bare' : ''}${text || !(value < 0) ? '' : ' cell--notch'}`}
                  style={colored ? { background: lut.css[index] ?? '', color: lut.ink[index] ?? '' } : ''}
                  aria-colindex={ariaIndex(col, data.cols)}
                  {...ariaOf(kind, value, text)}
                  data-row={row}
                  data-col={col}
                  data-value={value}
                >
                  {text}
                </div>
              );
            })}
          </div>
        );
      })}
    </>
  );
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

const cellElement = (root: HTMLElement | null, { row, col }: Spot) =>
  root?.querySelector<HTMLElement>(`[data-row="${row}"][data-col="${col}"]`) ?? null;

function cellOf(target: EventTarget | null): Spot | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[role="gridcell"]') : null;
  if (!element) return null;
  return { row: Number(element.dataset.row), col: Number(element.dataset.col) };
}
