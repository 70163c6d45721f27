import { effect } from '@preact/signals';
import { remapCell } from '../../geometry/grid';
import type { Cell, GridName } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import type { Page } from '../page';
import type { Line, Selected } from './line';

export interface Cursor {
  /** More is known of the other one. */
  readonly show: () => void;
  readonly hear: (selected: Selected | null) => void;
  /** What was told while something else was on its way there counts now, if it is no echo of that. */
  readonly recall: () => void;
  readonly stop: () => void;
}

/**
 * One cursor for both: the cell that one points at, or keeps, on one side is shown at its place on the other, where there is
 * one. `other`: the sizes over there, once they are known.
 */
export function createCursor({ look, scene }: Page, other: () => Geometry | null, line: Line): Cursor {
  /** The cell that is kept over there, as far as is known, and the one here that is shown because of one there. */
  let there: Cell | null = null;
  let echo: Cell | null = null;
  let missed: Selected | null = null;

  const moved = (cell: Cell | null, from: Geometry | null, to: Geometry | null): Cell | null =>
    cell && from && to ? remapCell({ tensor: cell.tensor, index: cell.index }, from, to) : null;

  const show = () => {
    const cell = look.current.value;
    if (cell && isSame(cell, echo)) return;
    echo = null;
    const next = moved(cell, scene.value?.geometry ?? null, other());
    if (isSame(next, there)) return;
    there = next;
    line.change({ cell: next && `${next.tensor}.${next.index}` });
  };
  const stops = [
    effect(show),
    effect(() => {
      const mode = look.mode.value;
      line.change({ mode });
    }),
    effect(() => {
      const { n, c, k } = look.focus.value;
      line.change({ slice: `n${n}.c${c}.k${k}` });
    }),
  ];

  const hear = (selected: Selected | null) => {
    missed = selected;
    if (line.isBusy()) return;
    const cell: Cell | null = selected && cellOf(selected);
    const here = moved(cell, other(), scene.peek()?.geometry ?? null);
    echo = here;
    if (selected?.kept && !isSame(cell, there)) {
      there = cell;
      look.hover(null);
      if (here) look.visit(here);
      return;
    }
    // Back at what is kept because it is kept here.
    look.hover(selected?.kept ? null : here);
    if (cell === null && there !== null) {
      there = null;
      look.release();
    }
  };

  return {
    show,
    recall() {
      const selected = missed;
      missed = null;
      if (selected && !isSame(cellOf(selected), there)) hear(selected);
    },
    hear,
    stop() {
      for (const stop of stops) stop();
    },
  };
}

const cellOf = ({ tensor, index }: Selected): Cell => ({ tensor: tensor as GridName, index });

const isSame = (a: Cell | null, b: Cell | null): boolean =>
  a === b || (a !== null && b !== null && a.tensor === b.tensor && a.index === b.index);
