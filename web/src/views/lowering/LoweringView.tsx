import { Segmented } from '../../ui/controls/Choice';
import { formatCount } from '../../ui/quantities';
import { type Needs, plainStage } from '../kit/answers';
import { useGeometry } from '../kit/picture';
import type { View, ViewProps } from '../kit/view';
import { type Choice, choiceOf, entriesOf, FOLLOWS, isDrawable, PARTS } from './choice';
import { Fold, FoldPlayer } from './Fold';
import { foldNeeds } from './fold-needs';
import { Products, ProductsWords } from './Products';
import { Unroll, UnrollPlayer } from './Unroll';
import './lowering.css';

const PART_VIEWS = {
  unroll: { Component: Unroll, Player: UnrollPlayer },
  products: { Component: Products, Player: ProductsWords },
  fold: { Component: Fold, Player: FoldPlayer },
} as const;

const IDEAS: Readonly<Record<Choice['part'], string>> = {
  unroll:
    'im2col copies every window of x into one row of a matrix. A pixel that several windows read is copied several times.',
  products:
    'With x unrolled, all three passes are plain matrix products, the fastest thing a computer does. Choose one.',
  fold: 'col2im is the way back: dx_col has a gradient for every copy of a pixel, and the copies fly home.',
};

/** Convolution as matrix products: x unrolled to x_col, three products, and the copies folded back into dx. */
function LoweringView(props: ViewProps) {
  const g = useGeometry();
  const { Component } = PART_VIEWS[choiceOf(g, props.state).part];
  return isDrawable(g) ? <Component {...props} /> : <p class="lowering__idea">{tooLarge(entriesOf(g))}</p>;
}

function LoweringSettings({ wanted, onState }: ViewProps) {
  const { part, follow } = choiceOf(useGeometry(), wanted);
  return (
    <>
      <Segmented
        label="part of the lowering"
        quiet
        options={PARTS}
        value={part}
        onChange={(value) => onState({ part: value })}
      />
      {part === 'unroll' && (
        <Segmented
          label="Point at an entry to see"
          quiet
          options={FOLLOWS}
          value={follow}
          onChange={(value) => onState({ follow: value })}
        />
      )}
    </>
  );
}

function LoweringPlayer(props: ViewProps) {
  const g = useGeometry();
  const { Player } = PART_VIEWS[choiceOf(g, props.state).part];
  return isDrawable(g) ? <Player {...props} /> : null;
}

function AboutLowering({ state }: ViewProps) {
  const { part, lane } = choiceOf(useGeometry(), state);
  return (
    <>
      <p>{IDEAS[part]}</p>
      {part === 'products' && <p>{lane.idea}</p>}
    </>
  );
}

function tooLarge(entries: number): string {
  if (entries === 0) return 'There is no window, so there is nothing to unroll.';
  return `${formatCount(entries)} entries are too many to look at here. It is also why fast algorithms never build this matrix whole: they unroll a few rows at a time. Make x smaller to see it.`;
}

export const loweringView: View = {
  sentence: 'Convolution as matrix products: x unrolled into x_col, three products, and the copies folded back.',
  needs(g, state): Needs {
    const choice = choiceOf(g, state);
    if (!isDrawable(g)) return [];
    if (choice.part === 'unroll') return [{ kind: 'stage', stage: 'x_col', ...choice.form }];
    if (choice.part === 'fold') return foldNeeds(g, choice, state);
    const { a, b, c, pass, algorithm } = choice.lane;
    return [
      ...[a, b, c].map(({ name, transposed }) => plainStage(name, transposed)),
      { kind: 'compare', pass, algorithms: [algorithm] },
    ];
  },
  Component: LoweringView,
  Settings: LoweringSettings,
  Player: LoweringPlayer,
  About: AboutLowering,
};
