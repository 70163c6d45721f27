import type { ComponentChildren } from 'preact';
import { useViewModel } from '../view-model';
import type { Box, Column, Row } from './layout';
import './place.css';

/** A position on the board; place.css leaves it out where panels are one below the other. */
const positionOf = ({ left, top, width, height }: Box) => ({
  '--left': `${left}px`,
  '--top': `${top}px`,
  '--width': `${width}px`,
  '--height': `${height}px`,
});

/** A part of the view at its position; in a stack, below the part before it. */
export const LayoutBox = ({
  box,
  scrolls = false,
  slot = false,
  children,
}: {
  box: Box;
  /** Content that does not fit scrolls. */
  scrolls?: boolean;
  /** The position of a tensor in every view that uses it. */
  slot?: boolean;
  children: ComponentChildren;
}) => (
  <div class={scrolls ? 'place place--scrolls' : 'place'} data-slot={slot} style={positionOf(box)}>
    {children}
  </div>
);

/** The tensors in their slots, also in a stack, if they are readable there. */
export function Board({ children }: { children: ComponentChildren }) {
  const { isBoard, height } = useViewModel().layout.value;
  return (
    <div class={isBoard ? 'board' : 'board board--stack'} style={isBoard ? { height: `${height}px` } : {}}>
      {children}
    </div>
  );
}

const TALL = 26;

/** An operator between two columns, at the height of w's cells. */
export function Sign({ after, row, sign }: { after: Exclude<Column, 'y'>; row: Row; sign: string }) {
  const { columns, rows, cell, slots } = useViewModel().layout.value;
  const { start, size } = columns[after];
  const left = start + size;
  const width = columns[after === 'x' ? 'w' : 'y'].start - left;
  const middle = (slots.w.height - cell.w) / 2;
  return (
    <span
      class="sign"
      style={positionOf({ left, width, top: rows[row].start + middle - TALL / 2, height: TALL })}
      aria-hidden="true"
      hidden={width < TALL / 2}
    >
      {sign}
    </span>
  );
}
