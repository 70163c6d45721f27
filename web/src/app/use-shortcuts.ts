import { useEffect } from 'preact/hooks';

interface Shortcuts {
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onRelease: () => void;
  readonly onKeys: () => void;
}

/** Keys of the whole page. A text box keeps its own undo. */
export function useShortcuts({ onUndo, onRedo, onRelease, onKeys }: Shortcuts): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        onRelease();
        return;
      }
      if (event.key === '?' && !isText(event.target)) {
        onKeys();
        return;
      }
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isText(event.target)) return;
      const key = event.key.toLowerCase();
      if (key === 'z' || key === 'y') {
        event.preventDefault();
        if (key === 'y' || event.shiftKey) onRedo();
        else onUndo();
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onUndo, onRedo, onRelease, onKeys]);
}

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && (target.type === 'text' || target.type === 'search');
}
