import type { ComponentChildren } from 'preact';
import { useViewModel } from '../view-model';
import type { Box, Column, Row } from './layout';
import './place.css';

/** A part of the view at its position; on a narrow screen, below the part before it. */
export function LayoutBox({
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
}) {
  const { arrangement } = useViewModel().layout.value;
  const { left, top, width, height } = box;
  const style =
    arrangement === 'stage' ? { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` } : {};
  return (
    <div class={scrolls ? 'place place--scrolls' : 'place'} data-slot={slot} style={style}>
      {children}
    </div>
  );
}

const TALL = 26;

/** An operator between two columns, at the height of w's cells. */
export function Sign({ after, row, sign }: { after: Exclude<Column, 'y'>; row: Row; sign: string }) {
  const { arrangement, columns, rows, cell, slots } = useViewModel().layout.value;
  const { start, size } = columns[after];
  const end = columns[after === 'x' ? 'w' : 'y'].start;
  const middle = (slots.w.height - cell.w) / 2;
  const style =
    arrangement === 'stage'
      ? { left: `${start + size}px`, width: `${end - start - size}px`, top: `${rows[row].start + middle - TALL / 2}px` }
      : {};
  return (
    <span class="sign" style={style} aria-hidden="true">
      {sign}
    </span>
  );
}
