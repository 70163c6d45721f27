import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { stepCount } from '../../geometry/steps';
import { chosenSteps } from '../shared/plane';
import { Board } from '../shared/stage/LayoutBox';
import { hasBackward } from '../shared/stage/layout';
import {
  FORWARD,
  ForwardSigns,
  type TensorPanelProps,
  TensorSlot,
  TensorSlots,
  type TensorsProps,
} from '../shared/TensorPanel';
import {
  useFrameOverlay,
  useGeometry,
  useViewModel,
  type View,
  ViewModelProvider,
  type ViewProps,
} from '../shared/view-model';
import { overviewParts } from './deferred';
import type { DyPicture } from './dy-parts';

/** All tensors: x, w, y, and their gradients below them. The player slides the window over x and fills y. */
function OverviewView({ state, wanted, onState }: ViewProps) {
  const g = useGeometry();
  const { focus, content, hiddenParts, userHighlights } = useViewModel();
  const current = focus.value;
  const windows = chosenSteps(state.t, stepCount(g, 'forward'), 0);
  const board = overviewParts.value;
  const frameOf = windows > 0 ? board?.frameOf : undefined;
  const frame = useMemo(() => frameOf?.(g, 'forward', windows, current) ?? null, [frameOf, g, windows, current]);
  const own = board?.forwardOwn(g, windows, frame?.focus, frame && userHighlights.value?.cell);
  const parts = board?.dyPartsFor(wanted) ?? null;
  const shown = parts && content.value;
  const picture = useMemo(() => parts && shown && parts.pictureOf(shown, wanted), [parts, shown, wanted]);
  const tensors = picture?.tensors;
  const ofFrame = frame && { ...frame, chosen: true };
  const frameModel = useFrameOverlay(tensors ? { ...ofFrame, tensors } : ofFrame);
  return (
    <ViewModelProvider value={frameModel}>
      <Board>
        <Forward own={own}>{parts && picture?.target && <parts.Target target={picture.target} />}</Forward>
        {board && <board.SumPlace />}
        {hasBackward(hiddenParts.value) && <Backward {...{ wanted, onState, parts, picture }} />}
      </Board>
    </ViewModelProvider>
  );
}

function BoardPlayer(props: ViewProps) {
  const Windows = overviewParts.value?.WindowPlayer;
  return Windows ? <Windows {...props} /> : null;
}

function AboutBoard() {
  const About = overviewParts.value?.AboutBoard;
  return About ? <About /> : null;
}

export const boardView: View = {
  question: 'How does the layer compute y and its gradients?',
  sentence: 'The forward pass computes y from x and w. The backward pass computes dx, dw and db from dy.',
  needs: () => [],
  sums: ['y', 'dx', 'dw', 'db'],
  formulas: ({ loss }) => overviewParts.value?.lossFormulas(loss) ?? [],
  stepOf: ({ t }) => (typeof t === 'number' && t > 0 ? { process: 'forward', steps: Math.round(t) } : null),
  Component: OverviewView,
  Player: BoardPlayer,
  About: AboutBoard,
};

const WITHOUT_X = FORWARD.filter((name) => name !== 'x');

/** x ∗ w + b = y; with children in place of x, they are no equation. */
const Forward = ({ own, children: inPlace }: Pick<TensorsProps, 'own'> & { children?: ComponentChildren }) => (
  <>
    {inPlace}
    <TensorSlots names={inPlace ? WITHOUT_X : FORWARD} own={own} />
    {!inPlace && <ForwardSigns />}
  </>
);

interface BackwardProps extends Pick<ViewProps, 'wanted' | 'onState'> {
  /** Of the settings of dy; null: not needed, or loading. */
  readonly parts: typeof import('./dy-parts') | null;
  readonly picture: DyPicture | null;
}

/** The backward pass: each gradient is below its tensor. db is also shown without a bias. */
function Backward({ picture, ...dy }: BackwardProps) {
  const { content, loss } = useViewModel();
  const own = overviewParts.value?.gradientTitles(content.value, loss.value);
  const Overlay = picture?.overlay && dy.parts?.OverlayMap;
  return (
    <>
      <Dy {...dy} />
      {Overlay && <Overlay />}
      <TensorSlots names={Overlay ? ['dw', 'db'] : ['dx', 'dw', 'db']} own={own} />
    </>
  );
}

/** dy with its menu; it can be painted, or its single 1 moved. */
function Dy({ wanted, onState, parts }: Omit<BackwardProps, 'picture'>) {
  const root = useRef<HTMLDivElement>(null);
  const [acts, setActs] = useState<TensorPanelProps['acts']>();
  return (
    <div ref={root}>
      <TensorSlot tensor="dy" acts={acts} menu={overviewParts.value?.dyMenuOf({ wanted, onState })} />
      {parts && <parts.DyActs root={root} wanted={wanted} onActs={setActs} />}
    </div>
  );
}
