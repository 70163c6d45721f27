import { stepCount } from '../../../geometry/steps';
import type { PartialResult } from '../../../protocol/follow-ups';
import type { Geometry, Tensor } from '../../../protocol/problem';
import { Segmented } from '../../../ui/controls/Choice';
import { Scrubber } from '../../../ui/scrubber/Scrubber';
import { layoutBoard } from '../../board-layout';
import type { Scene } from '../../scene';
import { TensorPanel } from '../../TensorPanel';
import type { CloserProps, CloserView, ViewState } from '../closer-view';
import { frameOf, pendingAreas } from './frame';
import { WATCHED, type Watched } from './processes';
import './steps.css';

interface Chosen {
  readonly watched: Watched;
  readonly steps: number;
  readonly total: number;
}

/** A third of the way, so that something is done and something remains. */
const START = 0.3;
/** Height that a grid should keep to, so that scrubber and grids fit a window together. */
const TALLEST = 380;

function chosenOf(g: Geometry, { process, t }: ViewState): Chosen | null {
  const watched = WATCHED.find((entry) => entry.process === process) ?? WATCHED[0];
  if (!watched) return null;
  const total = stepCount(g, watched.process);
  const steps = typeof t === 'number' ? Math.max(0, Math.min(total, Math.round(t))) : Math.ceil(total * START);
  return { watched, steps, total };
}

function StepsView({ scene, state, wanted, answers, events, onState, width }: CloserProps) {
  const g = scene.geometry;
  const chosen = chosenOf(g, wanted);
  const shown = chosenOf(g, state);
  const partial = answers.details?.partials[0];
  if (!chosen || !shown || !partial) return answers.error ? <p class="notice">{answers.error.message}</p> : null;
  const { watched, steps, total } = shown;
  const frame = frameOf(g, watched.process, steps, scene.focus);
  const picture: Scene = {
    ...scene,
    tensors: { ...scene.tensors, [watched.result]: inColoursOf(partial, scene.tensors[watched.result]) },
    focus: frame.focus,
    // What one points at is shown here as everywhere; else the frame speaks of its own cell.
    highlights: scene.highlights && !scene.highlights.pinned ? scene.highlights : frame.highlights,
    layout: layoutBoard(g, width, TALLEST),
  };
  return (
    <div class="steps">
      <Segmented
        label="process"
        quiet
        options={WATCHED.map(({ process, label, idea }) => ({ value: process, label, hint: idea }))}
        value={chosen.watched.process}
        onChange={(process) => onState({ process, t: Math.ceil(stepCount(g, process) * START) })}
      />
      <p class="steps__idea">{watched.idea}</p>
      <Scrubber
        label={`steps of ${watched.label}`}
        value={chosen.steps}
        total={total}
        row={watched.process === 'dx_gather' ? g.w : g.ow}
        sentence={frame.sentence}
        onChange={(t) => onState({ t })}
      />
      <div class="steps__row">
        {watched.panels.map((panel) => {
          if (panel === '←' || panel === '→') {
            return (
              <span key={panel} class="row__sign" aria-hidden="true">
                {panel}
              </span>
            );
          }
          const fills = panel === watched.result;
          const pending = fills && watched.writes === 'once';
          return (
            <TensorPanel
              key={panel}
              tensor={panel}
              scene={picture}
              events={events}
              {...(fills ? { subtitle: `after ${partial.steps} of ${partial.total} steps` } : {})}
              under={
                pending
                  ? pendingAreas(g, watched.process, steps, frame.focus.n).map((area) => ({ tone: 'pending', area }))
                  : []
              }
            />
          );
        })}
      </div>
    </div>
  );
}

/** A sum on its way may be larger than the finished one: the colours reach as far as either. */
function inColoursOf({ tensor }: PartialResult, final: Tensor | undefined): Tensor {
  if (!final || final.stats.max_abs < tensor.stats.max_abs) return tensor;
  return { ...tensor, stats: final.stats };
}

export const stepsView: CloserView = {
  needs(g, state) {
    const chosen = chosenOf(g, state);
    return chosen ? { details: { partials: [{ process: chosen.watched.process, steps: chosen.steps }] } } : {};
  },
  Component: StepsView,
};
