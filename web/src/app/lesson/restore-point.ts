import { batch } from '@preact/signals';
import type { LinkContent } from '../../link/field';
import { writeLink } from '../../link/write-link';
import type { Page } from '../page';

/**
 * The problem and view state from before a lesson or a set of exercises. Stored as a link in sessionStorage, so that a reload
 * restores it, except for what a link omits.
 */
export interface RestorePoint {
  /** Call before a step is opened. `at`: its name in a link; `isInside`: opened from another step. */
  readonly enter: (at: string, isInside: boolean) => void;
  /** Restores the stored state, then calls `left`. Calls `close` if no state is stored or it does not open. */
  readonly leave: (close: () => void, left: () => void) => void;
}

export function createRestorePoint({ store, look, address }: Page): RestorePoint {
  /** A link after a reload; null if the page was opened inside a lesson. */
  let before: LinkContent | string | null = readBefore(look.lesson.peek());
  /** True while the earlier state is being opened. */
  let leaving = false;
  return {
    enter(at, isInside) {
      if (!isInside) before = { problem: store.problem.peek(), look: look.written.peek() };
      if (before !== null) storeBefore(typeof before === 'string' ? before : writeLink(before).hash, at);
    },
    leave(close, left) {
      if (leaving) return;
      const back = before;
      const here = look.lesson.peek();
      const end = () => {
        before = null;
        clearBefore();
        left();
      };
      if (typeof back === 'string') {
        leaving = true;
        void address.open(back).then((isBack) => {
          leaving = false;
          if (!isBack && look.lesson.peek() === here) close();
          end();
        });
        return;
      }
      batch(() => {
        if (back) {
          store.open(back.problem, 'everything');
          look.open(back.look);
        } else close();
        end();
      });
    },
  };
}

const KEY = 'before-lesson';

interface StoredState {
  readonly link: string;
  /** The step that was opened last. For any other step, opened by a link, `link` is not the earlier state. */
  readonly at: string;
}

function storeBefore(link: string, at: string): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ link, at } satisfies StoredState));
  } catch {
    // Storage may be blocked or full: then the state is lost on reload.
  }
}

function readBefore(at: string | null): string | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<StoredState> | null;
    return at !== null && stored?.at === at && typeof stored.link === 'string' ? stored.link : null;
  } catch {
    return null;
  }
}

function clearBefore(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // See storeBefore.
  }
}
