import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { stepCount } from '../../geometry/steps';
import { chosenSteps, pendingMarks } from '../shared/plane';
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
import './loss.css';

/** All tensors: x, w, y, and their gradients below them. The player slides the window over x and fills y. */
function OverviewView({ state, wanted, onState }: ViewProps) {
  const g = useGeometry();
  const { focus, content, hiddenParts } = useViewModel();
  const current = focus.value;
  const windows = chosenSteps(state.t, stepCount(g, 'forward'), 0);
  const frameOf = windows > 0 ? overviewParts.value?.frameOf : undefined;
  const frame = useMemo(() => frameOf?.(g, 'forward', windows, current) ?? null, [frameOf, g, windows, current]);
  const n = frame?.focus.n;
  const own = { y: { under: n === undefined ? undefined : pendingMarks(g, 'forward', windows, n) } };
  const parts = overviewParts.value?.dyPartsFor(wanted) ?? null;
  const shown = parts && content.value;
  const picture = useMemo(() => parts && shown && parts.pictureOf(shown, wanted), [parts, shown, wanted]);
  const tensors = picture?.tensors;
  const ofFrame = frame && { ...frame, chosen: true };
  const frameModel = useFrameOverlay(tensors ? { ...ofFrame, tensors } : ofFrame);
  return (
    <ViewModelProvider value={frameModel}>
      <Forward own={own}>{parts && picture?.target && <parts.Target target={picture.target} />}</Forward>
      {hasBackward(hiddenParts.value) && <Backward {...{ wanted, onState, parts, picture }} />}
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
function Forward({
  own,
  children: inPlace,
}: Pick<TensorsProps, 'own'> & {
  children?: ComponentChildren;
}) {
  const { arrangement, paired, columns } = useViewModel().layout.value;
  if (arrangement === 'stage') {
    return (
      <>
        {inPlace}
        <TensorSlots names={inPlace ? WITHOUT_X : FORWARD} own={own} />
        {!inPlace && <ForwardSigns />}
      </>
    );
  }
  return (
    <>
      {inPlace || <TensorSlots names={['x']} />}
      {paired ? (
        <>
          <div class="beside" style={{ gridTemplateColumns: `${columns.w.size}px ${columns.y.size}px` }}>
            <TensorSlots names={['w', 'y']} own={own} />
          </div>
          <TensorSlots names={['b']} />
        </>
      ) : (
        <TensorSlots names={['w', 'b', 'y']} own={own} />
      )}
    </>
  );
}

interface BackwardProps extends Pick<ViewProps, 'wanted' | 'onState'> {
  /** Of the settings of dy; null: not needed, or loading. */
  readonly parts: typeof import('./dy-parts') | null;
  readonly picture: DyPicture | null;
}

/**
 * The backward pass: dy from the loss at y, then dx from dy and w, dw from dy and x, db from dy. Each gradient is below its
 * tensor, or on a narrow screen below the tensors it is computed from. db is also shown without a bias.
 */
function Backward({ picture, ...dy }: BackwardProps) {
  const parts = overviewParts.value;
  const Overlay = picture?.overlay && dy.parts?.OverlayMap;
  return (
    <>
      {parts && !picture?.target && <parts.Graph />}
      <Way to="dy">{parts && <parts.LossText />}</Way>
      <Dy {...dy} />
      <Way to="dx">
        <i>dx</i> from <i>dy</i> and <i>w</i>
      </Way>
      {Overlay ? <Overlay /> : <TensorSlots names={['dx']} />}
      <Way to="dw">
        <i>dw</i> from <i>dy</i> and <i>x</i>
      </Way>
      <TensorSlots names={['dw']} />
      <Way to="db">
        <i>db</i>: the sum of <i>dy</i>
      </Way>
      <TensorSlots names={['db']} />
    </>
  );
}

/** The step to a tensor, between two panels of a narrow screen, which are one below the other. */
function Way({ to, children }: { to: string; children: ComponentChildren }) {
  const { layout, hiddenParts } = useViewModel();
  if (layout.value.arrangement === 'stage' || hiddenParts.value.includes(to)) return null;
  return (
    <div class="way soft">
      <span aria-hidden="true">↓</span>
      <span>{children}</span>
    </div>
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
