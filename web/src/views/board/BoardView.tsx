import { useMemo } from 'preact/hooks';
import type { Area, Mark } from '../../ui/grid/marks';
import { hasBackward } from '../kit/stage/layout';
import type { View, ViewProps } from '../kit/view';
import { useFrameOverlay, useGeometry, useViewModel, ViewModelProvider } from '../kit/view-model';
import { Backward } from './Backward';
import { Forward } from './Forward';
import { boardParts } from './second';
import { windowsOf } from './windows-of';

const pendingMark = (area: Area): Mark => ({ tone: 'pending', area });

/** All tensors: x, w, y, and their gradients below them. The player slides the window over x and fills y. */
function BoardView({ state, wanted, onState }: ViewProps) {
  const g = useGeometry();
  const { focus, content, absent } = useViewModel();
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
  const parts = boardParts.value?.dyPartsFor(wanted) ?? null;
  const shown = parts && content.value;
  const picture = useMemo(() => parts && shown && parts.pictureOf(shown, wanted), [parts, shown, wanted]);
  const tensors = picture?.tensors;
  const ofFrame = frame && { ...frame, chosen: true };
  const frameModel = useFrameOverlay(tensors ? { ...ofFrame, tensors } : ofFrame);
  return (
    <ViewModelProvider value={frameModel}>
      <Forward own={own}>{parts && picture?.target && <parts.Target target={picture.target} />}</Forward>
      {hasBackward(absent.value) && <Backward wanted={wanted} onState={onState} parts={parts} picture={picture} />}
    </ViewModelProvider>
  );
}

function BoardPlayer(props: ViewProps) {
  const Windows = boardParts.value?.WindowPlayer;
  return Windows ? <Windows {...props} /> : null;
}

function AboutBoard() {
  const About = boardParts.value?.AboutBoard;
  return About ? <About /> : null;
}

export const boardView: View = {
  question: 'How does the layer compute y and its gradients?',
  sentence: 'The forward pass computes y from x and w. The backward pass computes dx, dw and db from dy.',
  needs: () => [],
  sums: ['y', 'dx', 'dw', 'db'],
  formulas: ({ loss }) => boardParts.value?.lossFormulas(loss) ?? [],
  stepOf: ({ t }) => (typeof t === 'number' && t > 0 ? { process: 'forward', steps: Math.round(t) } : null),
  Component: BoardView,
  Player: BoardPlayer,
  About: AboutBoard,
};
