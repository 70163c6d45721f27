import { useMemo } from 'preact/hooks';
import type { Area, Mark } from '../../ui/grid/marks';
import type { View, ViewProps } from '../kit/view';
import { useFrameOverlay, useGeometry, useViewModel, ViewModelProvider } from '../kit/view-model';
import { Backward } from './Backward';
import { Forward } from './Forward';
import { boardParts } from './second';
import { windowsOf } from './windows-of';

const pendingMark = (area: Area): Mark => ({ tone: 'pending', area });

/** All tensors: x, w, y, and their gradients below them. The player slides the window over x and fills y. */
function BoardView({ state }: ViewProps) {
  const g = useGeometry();
  const { focus } = useViewModel();
  const current = focus.value;
  const windows = windowsOf(g, state);
  const frameOf = windows > 0 ? boardParts.value?.frameOf : undefined;
  const frame = useMemo(() => frameOf?.(g, 'forward', windows, current) ?? null, [frameOf, g, windows, current]);
  const pendingIn = boardParts.value?.pendingAreas;
  const n = frame?.focus.n ?? 0;
  const own = useMemo(
    () => ({
      y: { under: (windows > 0 && pendingIn?.(g, 'forward', windows, n).map(pendingMark)) || undefined },
    }),
    [pendingIn, g, windows, n],
  );
  const frameModel = useFrameOverlay(frame && { focus: frame.focus, highlights: frame.highlights });
  return (
    <ViewModelProvider value={frameModel}>
      <Forward own={own} />
      <Backward />
    </ViewModelProvider>
  );
}

function BoardPlayer(props: ViewProps) {
  const Windows = boardParts.value?.WindowPlayer;
  return Windows ? <Windows {...props} /> : null;
}

function AboutBoard() {
  return (
    <>
      <p>
        <strong>Forward.</strong> Each cell of y is the sum of one window of x times w, cell by cell. The kernel is not
        flipped: strictly, this is cross-correlation, as in deep learning.
      </p>
      <p>
        <strong>Backward.</strong> dy is short for dL/dy: how the loss L changes with each cell of y. dx is computed
        from dy and w, dw from dy and x, and db from dy alone.
      </p>
    </>
  );
}

export const boardView: View = {
  sentence: 'The forward pass computes y from x and w. The backward pass computes dx, dw and db from dy.',
  needs: () => [],
  sums: ['y', 'dx', 'dw', 'db'],
  stepOf: ({ t }) => (typeof t === 'number' && t > 0 ? { process: 'forward', steps: Math.round(t) } : null),
  Component: BoardView,
  Player: BoardPlayer,
  About: AboutBoard,
};
