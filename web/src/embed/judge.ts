import { effect } from '@preact/signals';
import type { Page } from '../app/page';
import type { Predictor } from '../app/predict/predictor';
import { cellName } from '../geometry/labels';
import { MINUS } from '../ui/numbers';
import type { SceneEvents } from '../views/kit/scene';

/** A number that is written for a hidden cell is judged; there is no panel here to say how, so it is said over the stage. */
export function judge(page: Page, edit: SceneEvents['onEdit'], say: (words: string) => void): SceneEvents['onEdit'] {
  return (place, value) => {
    const { tensor, index, geometry } = place;
    const isHidden = page.look.masked.peek().some((one) => one.tensor === tensor && (one.index ?? index) === index);
    edit(place, value);
    if (!isHidden) return;
    const written = String(value);
    import('../app/predict/predictions').then(
      ({ predictorOf }) => listen(predictorOf(page)),
      () => say('It could not be judged: a part of the page could not be fetched. Try again.'),
    );
    const listen = (predictor: Predictor) => {
      const stop = effect(() => {
        const { verdict, written: asked } = predictor.attempt({ tensor, index });
        if (!verdict || asked !== written) return;
        queueMicrotask(() => stop());
        const [name, shown] = [cellName(geometry, { tensor, index }), written.replace('-', MINUS)];
        say(
          verdict.verdict === 'right'
            ? `${shown} is right.`
            : verdict.verdict === 'failed'
              ? `${shown} could not be judged: ${verdict.message}.`
              : `${name} is not ${shown}.`,
        );
      });
    };
  };
}
