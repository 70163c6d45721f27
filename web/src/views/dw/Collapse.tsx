import type { ViewProps } from '../kit/view';
import { WATCHED } from '../kit/walk/processes';
import { stepsOf } from '../kit/walk/steps-of';
import { Walk } from '../kit/walk/Walk';

const DB = WATCHED.find(({ process }) => process === 'db_accumulate');

/** dy falls into one number per filter: all its cells, of all images, added up. */
export function Collapse({ scene, wanted, answers, events, onState, width }: ViewProps) {
  const partial = answers.details?.partials[0];
  if (!DB || !partial) return null;
  const { n, oh, ow, k } = scene.geometry;
  return (
    <>
      <p class="steps__idea">
        {n} × {oh} × {ow} cells of dy become {k === 1 ? 'one number' : `${k} numbers, one per filter`}. The outlined
        ones are in the sum already.
      </p>
      <Walk
        scene={scene}
        events={events}
        watched={DB}
        partial={partial}
        wanted={stepsOf(scene.geometry, DB, wanted['bias-t'])}
        place="dw ways"
        width={width}
        onSteps={(t) => onState({ 'bias-t': t })}
      />
    </>
  );
}
