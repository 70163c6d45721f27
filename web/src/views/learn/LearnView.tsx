import { useEffect, useMemo } from 'preact/hooks';
import type { Cell, Geometry, Tensor, TensorName } from '../../protocol/problem';
import { scaleEnd } from '../../ui/color-scale';
import { planeEvents } from '../shared/cell-events';
import { AROUND, LARGEST, LARGEST_TENSOR, largest, READABLE, type Room } from '../shared/fit';
import { GridPanel, type GridPanelProps } from '../shared/GridPanel';
import { PlaneChooser } from '../shared/PlaneChooser';
import { gridData, PHOTO } from '../shared/plane';
import { LayoutBox } from '../shared/stage/LayoutBox';
import { below, colsOf, heightOf, region, slicesOf, twin, wholeStage } from '../shared/stage/layout';
import { ForwardSigns, TensorPanel, TensorSlot } from '../shared/TensorPanel';
import {
  useFrameOverlay,
  useGeometry,
  usePlane,
  useScale,
  useViewModel,
  type View,
  ViewModelProvider,
  type ViewProps,
} from '../shared/view-model';
import { Curve } from './Curve';
import {
  canLearn,
  hasOwnRate,
  isClassified,
  keepsRange,
  learnChoice,
  learnQuestion,
  learntIn,
  safeRate,
  stepsText,
  useChoiceOf,
} from './choice';
import { AboutDigits, DigitsPlayer, DigitsSettings, DigitsView } from './DigitsView';
import { digitsQuestion, isDigits } from './digits-choice';
import { AboutLearning, LearnPlayer, LearnSettingFields, pointed, TaskField } from './LearnControls';
import './learn.css';

const onHover = (cell: Cell | null) => {
  pointed.value = cell && { tensor: cell.tensor, title: cell.tensor, index: cell.index };
};

/**
 * x, w and y after some steps, the gradient, and the target or dy; below them the loss over the steps. On a narrow screen, and where
 * cells are too small for values or strips of slices need room, the tensors have their usual positions.
 */
function LearnView({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const layout = useViewModel().layout.value;
  const learned = learntIn(answers);
  const frameModel = useFrameOverlay(learned);
  const silentModel = useMemo(
    () => ({ ...frameModel, events: { ...frameModel.events, onHover, onMove: onHover, onPick: onHover } }),
    [frameModel],
  );
  const largest = learned?.step_size?.largest_rate;
  const content = useViewModel().content.value;
  const chosenIn = useChoiceOf();
  const opens = chosenIn(wanted);
  const isFree = wanted.rate === undefined && !hasOwnRate(opens) && opens.steps === 0;
  const safe = isFree && largest && Number.isFinite(largest) ? safeRate(largest) : null;
  useEffect(() => {
    if (safe !== null && (opens.task || safe < opens.rate)) onState({ rate: safe });
  }, [safe, opens.task, opens.rate, onState]);
  if (!learned) {
    // Cancelled, failed or refused: the notice above the panels reports it.
    if (canLearn(content)) return null;
    return (
      <LayoutBox box={wholeStage(layout)} scrolls>
        <p class="kit__note note">
          This problem is too large: learning takes hundreds of passes. Make it smaller, for example an image of 256 ×
          256.
        </p>
      </LayoutBox>
    );
  }
  const choice = chosenIn(state);
  const { x, w, b, y, dy, dx, dw, db } = learned.tensors;
  const after = `after ${stepsText(learned.steps)}`;
  const error = choice.below === 'dy' && dy;
  const all = wholeStage(layout);
  const top = { ...all, height: all.height - Math.max(CURVE.least, CURVE.share * all.height) - GAP };
  const { cell, weight, arrangement } = fitLearned(g, choice.learns === 'x' ? 'dx' : 'dw', b !== undefined, top);
  const several = (['x', 'w', 'y'] as const).some((name) => slicesOf(g, name).length > 0);
  const inSlots = layout.arrangement !== 'stage' || cell < READABLE || several;
  const sizeOf = (like: TensorName) => (twin(like) === 'w' ? weight : cell);
  const panel = (like: TensorName, tensor: Tensor | undefined, subtitle: string, title: string = like) =>
    tensor && (
      <LearnedPanel
        {...{ like, tensor, title, subtitle }}
        isPhoto={content.photo && keepsRange(choice) && /^(x|y|target)$/.test(title)}
        size={inSlots ? layout.cell[twin(like)] : sizeOf(like)}
        box={inSlots ? layout.slots[like] : undefined}
      />
    );
  const given = (name: 'x' | 'w') =>
    inSlots ? <TensorSlot tensor={name} /> : <TensorPanel tensor={name} size={sizeOf(name)} />;
  const panels = {
    x: panel('x', x, after) ?? given('x'),
    w: panel('w', w, choice.learns === 'x' ? 'of the task' : after) ?? given('w'),
    b: panel('b', b, after),
    y: panel('y', y, after),
    gradients: [panel('dx', dx, 'gradient'), panel('dw', dw, 'gradient'), panel('db', db, 'gradient')],
    target: error
      ? panel(
          'dy',
          error,
          learned.target ? `(${choice.task === null && isClassified(content) ? 'p' : 'y'} − target) / N` : 'gradient',
        )
      : panel('dy', learned.target ?? undefined, 'of y', 'target'),
  };
  const isStack = layout.arrangement === 'stack';
  // In the usual positions it has the room of the gradient that is not needed; the norms of all layers have also that of dw.
  const isWide = inSlots && choice.plot === 'norms' && !isStack;
  const free = choice.learns === 'x' ? 'w' : 'x';
  const next = layout.columns[free === 'x' ? 'w' : 'y'].start;
  const room = region(layout, free, isWide ? 'w' : free, 'backward');
  const box = inSlots
    ? { ...room, width: Math.max(room.width, next - NARROW - room.left) }
    : below(all, top.height + GAP);
  const curve = <Curve box={box} choice={opens} learned={learned} onState={onState} />;
  return (
    <ViewModelProvider value={silentModel}>
      {isStack && curve}
      {inSlots ? (
        <>
          {panels.x}
          {panels.w}
          {panels.b}
          {panels.y}
          <ForwardSigns />
          {!isWide && panels.gradients}
          {panels.target}
        </>
      ) : (
        <LayoutBox box={top}>
          <div
            class={`learn__tensors learn__tensors--${arrangement}`}
            style={{ '--least-panel': `${TITLE + AROUND.frame}px` }}
          >
            <div style={{ gridArea: 'x' }}>{panels.x}</div>
            <div style={{ gridArea: 'w' }}>
              {panels.w}
              {panels.b}
            </div>
            <div style={{ gridArea: 'y' }}>{panels.y}</div>
            <div style={{ gridArea: 'gradient' }}>{panels.gradients}</div>
            <div style={{ gridArea: 'target' }}>{panels.target}</div>
          </div>
        </LayoutBox>
      )}
      {!isStack && curve}
    </ViewModelProvider>
  );
}

/** Height of the curve, as a share of the stage and in CSS pixels. */
const CURVE = { share: 0.3, least: 168 } as const;
const GAP = 12;
/** Between the curve and the panel beside it. */
const NARROW = 8;
/** Gap between panels, and the least width of one, for its title. */
const BETWEEN = 20;
const TITLE = 140;

/**
 * The largest cells of one size with which all tensors, without slices, fit above the curve: the target below y, or beside it. A
 * small w and its gradient grow to the width of their titles: their values have many digits.
 */
function fitLearned(g: Geometry, gradient: 'dx' | 'dw', bias: boolean, room: Room) {
  const sizes = (cell: number, weight: number) => {
    const sizeOf = (like: TensorName) => (like === 'w' || like === 'dw' ? weight : cell);
    const wide = (like: TensorName) =>
      Math.max(TITLE, (like === 'dx' ? g.w : colsOf(g, like)) * sizeOf(like)) + AROUND.frame;
    const tall = (like: TensorName) => heightOf(g, like, sizeOf(like));
    const biases = bias ? (['b', ...(gradient === 'dw' ? (['db'] as const) : [])] as const) : [];
    const w = [Math.max(wide('w'), wide(gradient), ...biases.map(wide)), tall('w') + (bias ? tall('b') : 0)] as const;
    const back = tall(gradient) + (bias && gradient === 'dw' ? tall('db') : 0);
    return { x: [wide('x'), tall('x')] as const, w, y: [wide('y'), tall('y')] as const, back, target: tall('dy') };
  };
  const fits = {
    below(cell: number, weight: number) {
      const { x, w, y, back, target } = sizes(cell, weight);
      const height = Math.max(x[1], Math.max(w[1], y[1]) + BETWEEN / 2 + Math.max(back, target));
      return x[0] + w[0] + y[0] + 2 * BETWEEN <= room.width && height <= room.height;
    },
    beside(cell: number, weight: number) {
      const { x, w, y, back } = sizes(cell, weight);
      const height = Math.max(x[1], y[1], w[1] + BETWEEN / 2 + back);
      return x[0] + w[0] + 2 * y[0] + 3 * BETWEEN <= room.width && height <= room.height;
    },
  };
  const [below, beside] = (['below', 'beside'] as const).map((where) =>
    largest(LARGEST_TENSOR, (cell) => fits[where](cell, cell)),
  ) as [number, number];
  const arrangement = beside > below ? 'beside' : 'below';
  const cell = Math.max(below, beside);
  const most = Math.max(cell, Math.min(LARGEST, Math.floor(TITLE / colsOf(g, 'w'))));
  return { cell, weight: largest(most, (size) => fits[arrangement](cell, Math.max(cell, size))), arrangement };
}

/** A tensor of the descent. The text beside the view has the value of a cell after the step. */
function LearnedPanel({
  like,
  tensor,
  title,
  subtitle,
  isPhoto,
  size,
  box,
}: Pick<GridPanelProps, 'subtitle' | 'box'> & {
  title: string;
  /** The tensor that has its shape and cells. */
  like: TensorName;
  tensor: Tensor;
  isPhoto: boolean;
  size: number;
}) {
  const g = useGeometry();
  const plane = usePlane(like);
  const data = useMemo(() => gridData(plane, tensor.data), [plane, tensor]);
  const signed = useScale(scaleEnd(tensor.stats));
  const scale = isPhoto ? PHOTO : signed;
  const point = (cell: Cell | null) => {
    pointed.value = cell && { tensor: like, title, index: cell.index };
  };
  const chooses = !/^d/.test(like);
  const several = slicesOf(g, like).length > 0;
  return (
    <GridPanel
      tensor={like}
      group={several ? like : null}
      {...{ title, subtitle, scale, data, box }}
      size={like === 'b' || like === 'db' ? '' : `${data.rows} × ${data.cols}`}
      below={several && chooses && <PlaneChooser tensor={like} values={tensor.data} scale={scale} />}
      label={`${title} of the descent`}
      fit={size}
      events={planeEvents(g, plane, { onHover: point, onMove: point, onPick: point })}
    />
  );
}

export const learnView: View = {
  question: 'Can gradient descent find the weights that give the target?',
  sentence: 'Gradient descent: small steps of w against dw, until y matches the target.',
  needs: (content, state) => {
    if (isDigits(state)) return [digitsQuestion(state)];
    return canLearn(content) ? [learnQuestion(content, learnChoice(content, state))] : [];
  },
  Component: (props) => (isDigits(props.state) ? <DigitsView {...props} /> : <LearnView {...props} />),
  Settings: (props) => (
    <>
      <TaskField {...props} />
      {isDigits(props.wanted) ? <DigitsSettings {...props} /> : <LearnSettingFields {...props} />}
    </>
  ),
  Player: (props) => (isDigits(props.wanted) ? <DigitsPlayer {...props} /> : <LearnPlayer {...props} />),
  About: (props) => (isDigits(props.state) ? <AboutDigits /> : <AboutLearning {...props} />),
};
