import { useEffect } from 'preact/hooks';
import { createExplanation } from '../app/explain/explanation';
import type { Page } from '../app/page';
import type { Hands } from '../commands/command';
import { commandOf } from '../commands/keys';

/** What an embed has of the page's commands; the others are about what is not in it. */
const KEPT: ReadonlySet<string> = new Set(['undo', 'redo', 'release']);

const nothing = () => undefined;

/** Keys, as long as the keyboard is in the frame: a browser tells a page of no others. */
export function useKeys({ store, look }: Page): void {
  useEffect(() => {
    const hands: Hands = {
      store,
      look,
      theme: { words: () => '', next: nothing },
      explanation: createExplanation(document, look),
      hideCell: nothing,
      copyLink: nothing,
      showKeys: nothing,
      showExamples: nothing,
      showLessons: nothing,
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const command = commandOf(event, hands);
      if (!command || !KEPT.has(command.id)) return;
      // Esc also means other things to a browser, which may go on.
      if (event.key !== 'Escape') event.preventDefault();
      command.run(hands);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [store, look]);
}
