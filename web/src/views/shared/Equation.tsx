import type { ComponentChildren } from 'preact';
import { gridOf } from '../../geometry/grid';
import type { Geometry, GridName, TensorName } from '../../protocol/problem';
import { AROUND, largest, READABLE, type Room, showsValues } from './fit';
import { LayoutBox } from './stage/LayoutBox';
import { below, colsOf, heightOf, rowsOf, type StageLayout, slicesOf, wholeStage } from './stage/layout';
import { ALL_TENSORS, TensorPanel } from './TensorPanel';
import { useGeometry, useViewModel } from './view-model';
import './equation.css';

/** A grid of an equation, with the sign before it. */
export interface Term {
  readonly name: GridName;
  readonly sign?: string;
  readonly panel: (size: number) => ComponentChildren;
  /** The tensor that it is made from: below it, if there is room. */
  readonly origin?: TensorName | undefined;
}

/** In CSS pixels, as in equation.css: the row of controls, a sign, gaps, and the least width of a panel, for its title. */
const TOOLS = 44;
const SIGN = 32;
const GAP = 16;
const TITLES = { stage: 140, stack: 96 } as const;
/** The least width of a chooser of slices, for each axis. */
const CHOOSER = 88;
/** The largest cell of a picture that has the whole stage, and the least of weights beside a map. */
const LARGEST_KEY = 96;
const WEIGHT = 28;
/** Maps are in fewer lines down to this share of the largest cells. */
const LINE_SHARE = 0.8;
/** A stack may be higher than its room by this factor, so that its values are readable. */
const SCROLLED = 1.4;
/** Rows and columns of a kernel that is small beside a map. */
const MOST_WEIGHTS = 7;

const isTensor = (name: GridName): name is TensorName => ALL_TENSORS.some((tensor) => tensor === name);

/** Readable grids have one cell size; beside maps, a small kernel has cells that can be read. */
function cellOf(g: Geometry, name: GridName, cell: number) {
  const { row, col } = gridOf(g, name).size;
  return cell < READABLE && /^d?w/.test(name) && Math.max(row, col) <= MOST_WEIGHTS ? WEIGHT : cell;
}

type FitRoom = Room & Pick<StageLayout, 'arrangement'>;

/** `title`: the least width of a panel. */
function sizeOf(g: Geometry, name: GridName, common: number, title: number): Room {
  const cell = cellOf(g, name, common);
  const { row, col } = gridOf(g, name).size;
  const [rows, cols] = name === 'x' ? [rowsOf(g, 'x'), colsOf(g, 'x')] : [row, col];
  const legend = showsValues(rows, cols, cell) ? 0 : AROUND.legend;
  return {
    width: Math.max(title, cols * cell) + AROUND.frame,
    height: isTensor(name) ? heightOf(g, name, cell) : AROUND.head + AROUND.frame + rows * cell + legend,
  };
}

/** The terms with cells of this size, in as many lines as they need. `sign`: the one that a line begins with. */
function linesOf(g: Geometry, terms: readonly Term[], width: number, cell: number, title: number) {
  const lines: (Room & { readonly sign: string | undefined })[] = [];
  for (const { name, sign } of terms) {
    const size = sizeOf(g, name, cell, title);
    const wide = size.width + (sign ? SIGN : 0);
    const line = lines.at(-1);
    if (line && line.width + wide <= width)
      lines.splice(-1, 1, { ...line, width: line.width + wide, height: Math.max(line.height, size.height) });
    else lines.push({ width: wide, height: size.height, sign });
  }
  return lines;
}

/**
 * The largest cells with which an equation fits: in as few lines as its values, or large maps, need, if possible with the factors on
 * one line. A stack scrolls.
 */
function fitEquation(g: Geometry, terms: readonly Term[], { arrangement, ...room }: FitRoom) {
  const title = TITLES[arrangement];
  const fits = (cell: number, most: number, isKept: boolean) => {
    const lines = linesOf(g, terms, room.width, cell, title);
    const heights = lines.map(({ height }) => height + GAP);
    const height = arrangement === 'stack' ? Math.max(...heights) : heights.reduce((sum, each) => sum + each, 0);
    const isWhole = lines.every(({ width, sign }) => width <= room.width && !(isKept && sign === '∗'));
    const seen = arrangement === 'stack' && cell <= READABLE ? SCROLLED * room.height : room.height;
    return isWhole && lines.length <= most && height - GAP <= seen;
  };
  const cells = [true, false].flatMap((isKept) =>
    terms.map((_, i) => largest(LARGEST_KEY, (size) => fits(size, i + 1, isKept))),
  );
  const enough = Math.min(READABLE, LINE_SHARE * Math.max(...cells));
  const cell = cells.find((size) => size >= enough) ?? 0;
  const [line, ...others] = linesOf(g, terms, room.width, cell, title);
  const origins = terms.flatMap(({ name, origin }) =>
    origin && slicesOf(g, origin).length * CHOOSER <= sizeOf(g, name, cell, title).width ? [origin] : [],
  );
  const beneath = Math.max(...origins.map((origin) => sizeOf(g, origin, cell, title).height));
  const hasRoom = line !== undefined && others.length === 0 && line.height + GAP + beneath <= room.height;
  return { cell, title, origins: hasRoom ? origins : [] };
}

/** An equation of grids as the picture of a view, below a row of controls. */
export function Equation({ terms, children }: { terms: readonly Term[]; children?: ComponentChildren }) {
  const g = useGeometry();
  const layout = useViewModel().layout.value;
  const all = wholeStage(layout);
  const { arrangement } = layout;
  const { cell, title, origins } = fitEquation(g, terms, { ...(children ? below(all, TOOLS) : all), arrangement });
  const middle = Math.min(...terms.map(({ name }) => gridOf(g, name).size.row * cellOf(g, name, cell))) / 2;
  return (
    <LayoutBox box={all}>
      {children && <div class="equation__tools row wrap loose">{children}</div>}
      <div class="equation">
        {terms.map(({ name, sign, panel, origin }, i) => (
          <div key={i} class="equation__term">
            {sign && (
              <span class="equation__sign" style={{ top: `${AROUND.head + middle}px` }} aria-hidden="true">
                {sign}
              </span>
            )}
            <div style={{ width: `${sizeOf(g, name, cell, title).width}px` }}>
              {panel(cellOf(g, name, cell))}
              {origin && origins.includes(origin) && (
                <div class="equation__origin">
                  <TensorPanel tensor={origin} size={cellOf(g, origin, cell)} />
                </div>
              )}
            </div>
          </div>
        ))}
      </div>
    </LayoutBox>
  );
}
