import { effect } from '@preact/signals';
import { remapCell } from '../../geometry/grid';
import type { Cell, GridName } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import type { Page } from '../page/page';
import type { FrameConnection, Selected } from './frame-connection';

export interface SharedCursor {
  /** Call when the geometry of the other problem becomes known. */
  readonly show: () => void;
  readonly receive: (selected: Selected | null) => void;
  /** Applies a selection that arrived while a message was pending, unless it echoes that message. */
  readonly applyMissed: () => void;
  readonly dispose: () => void;
}

/**
 * One cursor for both problems: a cell that is hovered or pinned on one side is marked at the same place on the other side, if
 * it exists there. `other`: the other geometry, once known.
 */
export function createSharedCursor(
  { look, scene }: Page,
  other: () => Geometry | null,
  connection: FrameConnection,
): SharedCursor {
  /** The last known pinned cell in the frame, and the cell here that mirrors a cell in the frame. */
  let pinnedThere: Cell | null = null;
  let mirrored: Cell | null = null;
  let missed: Selected | null = null;

  const mapCell = (cell: Cell | null, from: Geometry | null, to: Geometry | null): Cell | null =>
    cell && from && to ? remapCell({ tensor: cell.tensor, index: cell.index }, from, to) : null;

  const show = () => {
    const cell = look.current.value;
    if (cell && isSame(cell, mirrored)) return;
    mirrored = null;
    const next = mapCell(cell, scene.value?.geometry ?? null, other());
    if (isSame(next, pinnedThere)) return;
    pinnedThere = next;
    connection.change({ cell: next && `${next.tensor}.${next.index}` });
  };
  const disposers = [
    effect(show),
    effect(() => {
      const mode = look.mode.value;
      connection.change({ mode });
    }),
    effect(() => {
      const { n, c, k } = look.focus.value;
      connection.change({ slice: `n${n}.c${c}.k${k}` });
    }),
  ];

  const receive = (selected: Selected | null) => {
    missed = selected;
    if (connection.isBusy()) return;
    const cell: Cell | null = selected && cellOf(selected);
    const here = mapCell(cell, other(), scene.peek()?.geometry ?? null);
    mirrored = here;
    if (selected?.kept && !isSame(cell, pinnedThere)) {
      pinnedThere = cell;
      look.hover(null);
      if (here) look.pinAndShow(here);
      return;
    }
    // The frame is back at the cell that is pinned here.
    look.hover(selected?.kept ? null : here);
    if (cell === null && pinnedThere !== null) {
      pinnedThere = null;
      look.unpin();
    }
  };

  return {
    show,
    applyMissed() {
      const selected = missed;
      missed = null;
      if (selected && !isSame(cellOf(selected), pinnedThere)) receive(selected);
    },
    receive,
    dispose() {
      for (const dispose of disposers) dispose();
    },
  };
}

const cellOf = ({ tensor, index }: Selected): Cell => ({ tensor: tensor as GridName, index });

const isSame = (a: Cell | null, b: Cell | null): boolean =>
  a === b || (a !== null && b !== null && a.tensor === b.tensor && a.index === b.index);
