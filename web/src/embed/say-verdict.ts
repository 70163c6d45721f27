import { effect } from '@preact/signals';
import type { Page } from '../app/page/page';
import { second } from '../app/second/second';
import type { AddressedCell } from '../protocol/cell';
import { MINUS } from '../ui/numbers';
import { accessibleName } from '../views/kit/cell-names';

/** Says whether a value that was typed into a hidden cell is right. An embed has no panel for the verdict: a toast shows it. */
export const sayVerdict =
  (page: Page, say: (words: string) => void) =>
  ({ tensor, index, geometry }: AddressedCell, written: string): void => {
    const predictor = second.loaded.peek()?.predictorOf(page);
    if (!predictor) {
      second.retry();
      say('The check failed to load. Try again.');
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
