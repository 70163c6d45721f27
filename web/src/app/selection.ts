import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { remapCell } from '../geometry/grid';
import type { BoxRegion } from '../geometry/region';
import type { Cell } from '../protocol/cell';
import type { Geometry } from '../protocol/problem';
import { late } from '../ui/late';
import { type Focus, type Highlights, validFocus } from '../views/kit/scene';

/** No part of the first download: nothing is joined before somebody points. */
export const links = late(async () => (await import('../geometry/links')).linksOf);

/** Which cell is spoken of: a hovered one is a preview, a pinned one stays. */
export interface Selection {
  readonly hovered: Signal<Cell | null>;
  readonly pinned: Signal<Cell | null>;
  readonly term: Signal<readonly BoxRegion[]>;
  readonly focus: Signal<Focus>;
  /** The hovered cell, else the pinned one. */
  readonly current: ReadonlySignal<Cell | null>;
  readonly highlights: ReadonlySignal<Highlights | null>;
  /** A cell is pointed at, or none any more. */
  readonly hover: (cell: Cell | null) => void;
  readonly release: () => void;
  /** A click: pins the cell, or releases it when it is the pinned one. */
  readonly toggle: (cell: Cell) => void;
}

export function createSelection(geometry: ReadonlySignal<Geometry | null>): Selection {
  const hovered = signal<Cell | null>(null);
  const pinned = signal<Cell | null>(null);
  const term = signal<readonly BoxRegion[]>([]);
  const wanted = signal<Focus>({ n: 0, c: 0, k: 0 });
  const current = computed(() => hovered.value ?? pinned.value);
  const linked = computed(() => {
    const g = geometry.value;
    const cell = current.value;
    const linksOf = g && cell && links();
    return linksOf ? { cell, ...linksOf(g, cell) } : null;
  });
  const highlights = computed(
    () => linked.value && { ...linked.value, pinned: isSame(current.value, pinned.value), term: term.value },
  );
  return {
    hovered,
    pinned,
    term,
    focus: wanted,
    current,
    highlights,
    hover(cell) {
      if (!isSame(hovered.value, cell)) hovered.value = cell;
    },
    release() {
      pinned.value = null;
      term.value = [];
    },
    toggle(cell) {
      pinned.value = isSame(pinned.value, cell) ? null : cell;
      term.value = [];
    },
  };
}

function isSame(a: Cell | null, b: Cell | null): boolean {
  return a !== null && b !== null && a.tensor === b.tensor && a.index === b.index;
}

/** After the sizes changed: cells keep their place where it still exists, and the focus moves inside. */
export function follow(selection: Selection, from: Geometry | null, to: Geometry): void {
  const place = (cell: Cell | null) => (cell && from ? remapCell(cell, from, to) : null);
  selection.hovered.value = place(selection.hovered.value);
  selection.pinned.value = place(selection.pinned.value);
  selection.term.value = [];
  selection.focus.value = validFocus(to, selection.focus.value);
}

/** The numbers changed: what a picture of a stage showed in these cells holds no more. */
export function forgetValues({ hovered, pinned }: Selection): void {
  for (const cell of [hovered, pinned]) {
    if (cell.value?.value !== undefined) cell.value = { tensor: cell.value.tensor, index: cell.value.index };
  }
}
