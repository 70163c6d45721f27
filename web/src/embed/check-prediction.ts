import { effect } from '@preact/signals';
import type { Page } from '../app/page';
import { secondNow } from '../app/second';
import { MINUS } from '../ui/numbers';
import { accessibleName } from '../views/kit/cell-names';
import type { ViewEvents } from '../views/kit/scene';

/** Checks a value that is typed into a hidden cell. An embed has no panel for the verdict: a toast shows it. */
export function checkPrediction(
  page: Page,
  edit: ViewEvents['onEdit'],
  say: (words: string) => void,
): ViewEvents['onEdit'] {
  return (place, value) => {
    const { tensor, index, geometry } = place;
    const isHidden = page.look.masked.peek().some((one) => one.tensor === tensor && (one.index ?? index) === index);
    edit(place, value);
    if (!isHidden) return;
    const written = String(value);
    const predictor = secondNow()?.predictorOf(page);
    if (!predictor) {
      say('The check has not loaded. Try again.');
      return;
    }
    const stop = effect(() => {
      const { verdict, written: asked } = predictor.attempt({ tensor, index });
      if (!verdict || asked !== written) return;
      queueMicrotask(() => stop());
      const [name, shown] = [accessibleName(geometry, { tensor, index }), written.replace('-', MINUS)];
      say(
        verdict.verdict === 'right'
          ? `${shown} is right.`
          : verdict.verdict === 'failed'
            ? `${shown} could not be checked: ${verdict.message}.`
            : `${name} is not ${shown}.`,
      );
    });
  };
}
