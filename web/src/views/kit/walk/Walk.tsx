import type { PartialResult } from '../../../protocol/follow-ups';
import type { Tensor } from '../../../protocol/problem';
import type { Mark } from '../../../ui/grid/marks';
import { Scrubber } from '../../../ui/scrubber/Scrubber';
import { layoutBoard } from '../board-layout';
import type { Scene, SceneEvents } from '../scene';
import { useSpeaker } from '../speaker';
import { TensorPanel } from '../TensorPanel';
import { doneAreas, frameOf, pendingAreas } from './frame';
import type { Panel, Watched } from './processes';
import '../steps.css';

interface WalkProps {
  readonly scene: Omit<Scene, 'layout'>;
  readonly events: SceneEvents;
  readonly watched: Watched;
  readonly partial: PartialResult;
  /** Where the slider stands; the picture is of `partial` and may be a moment behind. */
  readonly wanted: number;
  /** The view, for the names of the grids. */
  readonly place: string;
  readonly width: number;
  readonly onSteps: (steps: number) => void;
}

/** Height that a grid should keep to, so that scrubber and grids fit a window together. */
const TALLEST = 380;

/** A process after some of its steps: the scrubber, and the tensors with what the last step read and wrote. */
export function Walk({ scene, events, watched, partial, wanted, place, width, onSteps }: WalkProps) {
  const g = scene.geometry;
  const { process, result, panels, writes } = watched;
  const { highlights, onScrub } = useSpeaker(scene.highlights);
  const frame = frameOf(g, process, partial.steps, scene.focus);
  const picture: Scene = {
    ...scene,
    tensors: { ...scene.tensors, [result]: inColoursOf(partial, scene.tensors[result]) },
    focus: frame.focus,
    highlights: highlights ?? frame.highlights,
    layout: layoutBoard(g, width, TALLEST),
  };
  const pending = writes === 'once' ? pendingAreas(g, process, partial.steps, frame.focus.n) : [];
  const taken = process === 'db_accumulate' ? doneAreas(g, partial.steps, frame.focus.n) : [];
  const under = (panel: Panel): readonly Mark[] => [
    ...(panel === result ? pending.map((area) => ({ tone: 'pending', area }) as const) : []),
    ...(panel === 'dy' ? taken.map((area) => ({ tone: 'source', area }) as const) : []),
  ];
  return (
    <>
      <Scrubber
        label={`steps of ${watched.label}`}
        value={wanted}
        total={partial.total}
        row={process === 'dx_gather' ? g.w : g.ow}
        sentence={frame.sentence}
        onChange={(steps) => {
          onScrub();
          onSteps(steps);
        }}
      />
      <div class="steps__row">
        {panels.map((panel) => {
          if (panel === '←' || panel === '→') {
            return (
              <span key={panel} class="row__sign" aria-hidden="true">
                {panel}
              </span>
            );
          }
          const fills = panel === result;
          return (
            <TensorPanel
              key={panel}
              tensor={panel}
              scene={picture}
              events={events}
              place={place}
              {...(fills ? { subtitle: `after ${partial.steps} of ${partial.total} steps` } : {})}
              under={under(panel)}
            />
          );
        })}
      </div>
    </>
  );
}

/** A sum on its way may be larger than the finished one: the colours reach as far as either. */
function inColoursOf({ tensor }: PartialResult, final: Tensor | undefined): Tensor {
  if (!final || final.stats.max_abs < tensor.stats.max_abs) return tensor;
  return { ...tensor, stats: final.stats };
}
