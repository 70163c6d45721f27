import type { ComponentChildren } from 'preact';
import { usePicture } from '../picture';
import type { Box, Column, Row } from './layout';
import './place.css';

interface PlaceProps {
  readonly box: Box;
  /** What does not fit scrolls in here, and pushes nothing else away. */
  readonly scrolls?: boolean;
  readonly children: ComponentChildren;
}

/** A part of the picture at its place on the stage; on a narrow screen below the part before it. */
export function Place({ box, scrolls = false, children }: PlaceProps) {
  const { arrangement } = usePicture().layout.value;
  const { left, top, width, height } = box;
  const style =
    arrangement === 'stage' ? { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` } : {};
  return (
    <div class={scrolls ? 'place place--scrolls' : 'place'} style={style}>
      {children}
    </div>
  );
}

interface SignProps {
  readonly after: Exclude<Column, 'y'>;
  readonly row: Row;
  readonly children: string;
}

const TALL = 26;

/** A sign between two columns of the stage, at the height of w's cells. */
export function Sign({ after, row, children }: SignProps) {
  const { arrangement, columns, rows, cell, slots } = usePicture().layout.value;
  const { start, size } = columns[after];
  const end = columns[after === 'x' ? 'w' : 'y'].start;
  const middle = (slots.w.height - cell.w) / 2;
  const style =
    arrangement === 'stage'
      ? { left: `${start + size}px`, width: `${end - start - size}px`, top: `${rows[row].start + middle - TALL / 2}px` }
      : {};
  return (
    <span class="sign" style={style} aria-hidden="true">
      {children}
    </span>
  );
}
