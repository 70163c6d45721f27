import type { ComponentType } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { Focus } from '../../../geometry/grid';
import { stepCount } from '../../../geometry/steps';
import type { ViewState } from '../../../look/look';
import type { Geometry, Pass, ProcessName, TensorName } from '../../../protocol/problem';
import { Segmented } from '../../../ui/controls/Choice';
import { framesIn, inColorsOf, type Needs, type PartialFrame } from '../answers';
import { Badge } from '../Badge';
import { block, chosenSteps, marked } from '../plane';
import { Board } from '../stage/LayoutBox';
import { ALL_TENSORS, ForwardSigns, type TensorPanelProps, TensorSlots } from '../TensorPanel';
import { type Subject, tellingSteps } from '../telling';
import {
  useFrameOverlay,
  useGeometry,
  useViewModel,
  type View,
  ViewModelProvider,
  type ViewProps,
} from '../view-model';
import { frameOf, pendingMarks, StepPlayer } from './StepPlayer';

interface Texts {
  /** Its name in links and in the library. */
  readonly id: string;
  readonly pass: Pass;
  readonly label: string;
  readonly idea: string;
  /** More about it, below the idea. */
  readonly about?: (of: Subject, state: ViewState, focus: Focus) => readonly string[];
}

/** A way to compute a gradient. */
export interface Algorithm extends Texts {
  readonly needs?: (of: Subject, state: ViewState) => Needs;
  readonly Component: ComponentType<AlgorithmProps>;
  readonly Player?: ComponentType<AlgorithmProps>;
  /** The sentence in place of a player. */
  readonly words?: (g: Geometry, wanted: ViewState) => string;
  readonly Settings?: ComponentType<ViewProps>;
  readonly walk?: WalkSteps;
}

/** A process that a player steps through. */
interface WalkSteps {
  readonly name: ProcessName;
  readonly label: string;
  /** The setting with the number of steps. */
  readonly setting: string;
  /** The tensor that it fills. */
  readonly result: TensorName;
  /** Each cell is written by one step; else steps add to cells. */
  readonly writesOnce?: boolean;
}

interface AlgorithmProps extends ViewProps {
  readonly walk: WalkSteps | undefined;
}

const walkSteps = (of: Subject, { name, setting }: WalkSteps, state: ViewState) =>
  chosenSteps(state[setting] ?? tellingSteps(of, name), stepCount(of.geometry, name));

/** Scrolls to the result when its algorithm opens, where not all tensors are in sight. */
export function useResultInSight(result: TensorName): void {
  useLayoutEffect(() => {
    const room = document.querySelector('.stage__room');
    const panel = room?.querySelector(`.panel--${result}`)?.getBoundingClientRect();
    const seen = room?.getBoundingClientRect();
    if (room && panel && seen && panel.bottom > seen.bottom) room.scrollTop += panel.top - seen.top;
    return () => {
      if (room) room.scrollTop = 0;
    };
  }, [result]);
}

/** An algorithm that is a player with all tensors. */
export const walkAlgorithm = (walk: WalkSteps, texts: Texts): Algorithm => ({
  ...texts,
  walk,
  needs: (of, state) => [{ kind: 'partial', process: walk.name, steps: walkSteps(of, walk, state) }],
  Component: AlgorithmWalk,
  Player: AlgorithmPlayer,
});

function AlgorithmWalk({ walk, answers, state }: AlgorithmProps) {
  const partial = framesIn(answers)[0];
  return walk && partial ? (
    <Walk walk={walk} partial={partial} chosen={typeof state[walk.setting] === 'number'} />
  ) : null;
}

function AlgorithmPlayer({ walk, answers, wanted, onState }: AlgorithmProps) {
  const g = useGeometry();
  const { content, focus } = useViewModel();
  const partial = framesIn(answers)[0];
  if (!walk || !partial) return null;
  const { highlights, sentence } = frameOf(g, walk.name, partial.steps, focus.value);
  return (
    <StepPlayer
      label={`steps of ${walk.label}`}
      // The panels show `partial` and may be behind.
      value={walkSteps(content.value, walk, wanted)}
      total={partial.total}
      row={walk.name === 'dx_gather' ? g.w : g.ow}
      highlights={highlights}
      sentence={sentence}
      onSteps={(t) => onState({ [walk.setting]: t })}
    />
  );
}

/** A process after some of its steps: all tensors, with the cells that the last step read and wrote. */
function Walk({
  walk,
  partial,
  chosen,
}: {
  walk: WalkSteps;
  partial: PartialFrame;
  /** The step was chosen, by the player or by a link. */
  chosen: boolean;
}) {
  const { name, result, writesOnce } = walk;
  useResultInSight(result);
  const g = useGeometry();
  const { content, focus } = useViewModel();
  const { tensors } = content.value;
  const current = focus.value;
  const { steps } = partial;
  const frame = useMemo(() => frameOf(g, name, steps, current), [g, name, steps, current]);
  const final = tensors[result];
  const frameModel = useFrameOverlay({
    tensors: useMemo(() => ({ [result]: inColorsOf(partial.tensor, final) }), [result, partial, final]),
    focus: frame.focus,
    highlights: frame.highlights,
    chosen,
  });
  const { n } = frame.focus;
  const own = useMemo((): Partial<Record<TensorName, Partial<TensorPanelProps>>> => {
    const pending = writesOnce ? pendingMarks(g, name, steps, n) : [];
    const added = name === 'db_accumulate' ? doneAreas(g, steps, n) : [];
    return {
      ...(added.length > 0 ? { dy: { under: marked('source', added) } } : {}),
      [result]: { under: pending, subtitle: `${steps} of ${partial.total} steps` },
    };
  }, [g, name, result, writesOnce, steps, n, partial.total]);
  return (
    <ViewModelProvider value={frameModel}>
      <Board>
        <TensorSlots names={ALL_TENSORS} own={own} />
        <ForwardSigns />
      </Board>
    </ViewModelProvider>
  );
}

/** Cells of image `n` of dy that the first `steps` steps of a sum over y's positions have added. */
function doneAreas({ oh, ow }: Geometry, steps: number, n: number) {
  const done = Math.max(0, Math.min(oh * ow, steps - n * oh * ow));
  const row = Math.floor(done / ow);
  return [block(0, 0, row, ow), block(row, 0, 1, done % ow)].filter(({ rows, cols }) => rows * cols > 0);
}

/** The view of a gradient: one of its algorithms, compared with the reference. */
export function algorithmView({
  algorithms,
  first,
  resets,
  ...view
}: Pick<View, 'question' | 'sentence' | 'sums' | 'pass'> & {
  algorithms: readonly Algorithm[];
  /** Opens without a choice. */
  first: Algorithm;
  /** Changed by the choice of another algorithm. */
  resets?: ViewState;
}): View {
  const chosen = ({ way }: ViewState) => algorithms.find(({ id }) => id === way) ?? first;
  return {
    ...view,
    needs(of, state) {
      const { pass, needs } = chosen(state);
      const compared = algorithms.filter((each) => each.pass === pass).map(({ id }) => id);
      return [...(needs?.(of, state) ?? []), { kind: 'compare', pass, algorithms: compared }];
    },
    Component(props) {
      const { Component, walk } = chosen(props.state);
      return <Component {...props} walk={walk} />;
    },
    Settings(props) {
      const { id, Settings } = chosen(props.wanted);
      return (
        <>
          <Segmented
            label="algorithm"
            quiet
            options={algorithms.map(({ id: value, label, idea }) => ({ value, label, hint: idea }))}
            value={id}
            onChange={(way) => props.onState({ way, ...resets })}
          />
          {Settings && <Settings {...props} />}
        </>
      );
    },
    Player(props) {
      const g = useGeometry();
      const { id, Player, words, walk } = chosen(props.state);
      return (
        <>
          {Player && <Player {...props} walk={walk} />}
          {words && <p class="player-words small">{words(g, props.wanted)}</p>}
          <Badge answers={props.answers} algorithm={id} />
        </>
      );
    },
    About(props) {
      const { idea, about } = chosen(props.state);
      const { content, focus } = useViewModel();
      const texts = about?.(content.value, props.state, focus.value) ?? [];
      return (
        <>
          {[idea, ...texts].map((text) => (
            <p key={text}>{text}</p>
          ))}
        </>
      );
    },
  };
}
