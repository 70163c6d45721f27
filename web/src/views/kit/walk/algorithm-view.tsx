import type { ComponentType } from 'preact';
import { stepCount } from '../../../geometry/steps';
import type { ViewState } from '../../../look/look';
import type { Geometry, Pass } from '../../../protocol/problem';
import { Segmented } from '../../../ui/controls/Choice';
import { framesIn, type Needs } from '../answers';
import { Badge } from '../Badge';
import type { View, ViewProps } from '../view';
import { useGeometry } from '../view-model';
import { chosenSteps } from './chosen-steps';
import { Walk, WalkPlayer, type WalkProcess } from './Walk';

interface Texts {
  /** Its name in links and in the library. */
  readonly id: string;
  readonly pass: Pass;
  readonly label: string;
  readonly idea: string;
  /** More about it, below the idea. */
  readonly About?: ComponentType<ViewProps>;
}

/** A way to compute a gradient. */
export interface Algorithm extends Texts {
  readonly needs?: (g: Geometry, state: ViewState) => Needs;
  readonly Component: ComponentType<AlgorithmProps>;
  readonly Player: ComponentType<AlgorithmProps>;
  readonly Settings?: ComponentType<ViewProps>;
  readonly walk?: WalkSteps;
}

/** A process that a player steps through, and the setting with its number of steps. */
interface WalkSteps extends WalkProcess {
  readonly setting: string;
}

interface AlgorithmProps extends ViewProps {
  readonly walk: WalkSteps | undefined;
}

/** At first a walk shows the first frame with a result, so that playing shows all the others. */
const walkSteps = (g: Geometry, { name, setting }: WalkSteps, state: ViewState): number =>
  chosenSteps(state[setting], stepCount(g, name), 1);

/** An algorithm that is a player with all tensors. */
export const walkAlgorithm = (walk: WalkSteps, texts: Texts): Algorithm => ({
  ...texts,
  walk,
  needs: (g, state) => [{ kind: 'partial', process: walk.name, steps: walkSteps(g, walk, state) }],
  Component: AlgorithmWalk,
  Player: AlgorithmPlayer,
});

function AlgorithmWalk({ walk, answers, state }: AlgorithmProps) {
  const partial = framesIn(answers)[0];
  return walk && partial ? (
    <Walk process={walk} partial={partial} chosen={typeof state[walk.setting] === 'number'} />
  ) : null;
}

function AlgorithmPlayer({ walk, answers, wanted, onState }: AlgorithmProps) {
  const g = useGeometry();
  const partial = framesIn(answers)[0];
  if (!walk || !partial) return null;
  const steps = walkSteps(g, walk, wanted);
  return <WalkPlayer process={walk} partial={partial} wanted={steps} onSteps={(t) => onState({ [walk.setting]: t })} />;
}

interface AlgorithmsProps extends Pick<View, 'question' | 'sentence' | 'sums' | 'pass'> {
  readonly algorithms: readonly Algorithm[];
  /** Opens without a choice. */
  readonly first: Algorithm;
  /** Changed by the choice of another algorithm. */
  readonly resets?: ViewState;
}

/** The view of a gradient: one of its algorithms, compared with the reference. */
export function algorithmView({ algorithms, first, resets, ...view }: AlgorithmsProps): View {
  const chosen = ({ way }: ViewState) => algorithms.find(({ id }) => id === way) ?? first;
  return {
    ...view,
    needs(g, state) {
      const { pass, needs } = chosen(state);
      const compared = algorithms.filter((each) => each.pass === pass).map(({ id }) => id);
      return [...(needs?.(g, state) ?? []), { kind: 'compare', pass, algorithms: compared }];
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
      const { id, Player, walk } = chosen(props.state);
      return (
        <>
          <Player {...props} walk={walk} />
          <Badge comparison={props.answers.of('compare')[0]?.answer} algorithm={id} />
        </>
      );
    },
    About(props) {
      const { idea, About } = chosen(props.state);
      return (
        <>
          <p>{idea}</p>
          {About && <About {...props} />}
        </>
      );
    },
  };
}
