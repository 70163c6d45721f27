import { useMemo } from 'preact/hooks';
import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import { PictureProvider, useFramed, useGeometry, usePicture } from '../kit/picture';
import type { View, ViewProps } from '../kit/view';
import { Backward } from './Backward';
import { Forward } from './Forward';
import { windowsOf } from './windows-of';

/** The first picture needs no player: it comes right after it. */
const player = late(() => import('./Windows'));

/** All tensors: x, w, y, and their gradients below them. The player moves the window that is spoken of over x. */
function BoardView({ state }: ViewProps) {
  const g = useGeometry();
  const { focus } = usePicture();
  const looked = focus.value;
  const windows = windowsOf(g, state);
  const frameOf = windows > 0 ? player()?.frameOf : undefined;
  const frame = useMemo(() => frameOf?.(g, 'forward', windows, looked) ?? null, [frameOf, g, windows, looked]);
  const framed = useFramed(frame && { focus: frame.focus, highlights: frame.highlights });
  return (
    <PictureProvider value={framed}>
      <Forward />
      <Backward />
    </PictureProvider>
  );
}

function BoardPlayer(props: ViewProps) {
  const Windows = player()?.Windows;
  return Windows ? <Windows {...props} /> : <LateNotice what="The player" of={[player]} />;
}

function AboutBoard() {
  return (
    <>
      <p>
        <strong>Forward.</strong> Each cell of y is one window of x, multiplied by w cell by cell and added up.
      </p>
      <p>
        <strong>Backward.</strong> dy says how the loss L changes with each cell of y: dy is short for dL/dy, dx for
        dL/dx, and so on. dy goes to dx with w, to dw with x, and to db by itself.
      </p>
    </>
  );
}

export const boardView: View = {
  sentence: 'The whole of it: x and w make y, and what comes back through dy makes dx, dw and db.',
  needs: () => [],
  Component: BoardView,
  Player: BoardPlayer,
  About: AboutBoard,
};
