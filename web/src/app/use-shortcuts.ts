import { useEffect } from 'preact/hooks';

interface Shortcuts {
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onRelease: () => void;
}

/** Keys of the whole page. A text box keeps its own undo. */
export function useShortcuts({ onUndo, onRedo, onRelease }: Shortcuts): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        onRelease();
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
  }, [onUndo, onRedo, onRelease]);
}

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && (target.type === 'text' || target.type === 'search');
}
