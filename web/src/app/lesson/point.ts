import { useEffect } from 'preact/hooks';
import type { Pointer } from '../../lessons/lesson';

/** What each kind of pointer frames. */
const SELECTORS: Readonly<Record<string, (name: string) => string>> = {
  tab: (name) => `main [data-tab="${name}"]`,
  option: (name) => `main label:has(> input[value="${name}"]), .rail label:has(> input[value="${name}"])`,
  field: (name) => `[data-field="${name}"], .phone-sheet [data-tab="controls"]`,
  panel: (name) => `main .panel--${name} .panel__frame`,
  controls: (name) => `#controls-${name}, .phone-sheet [data-tab="controls"]`,
  player: () => 'main .scrubber',
};

export function selectorOf(pointer: Pointer): string {
  const [kind = '', name = ''] = pointer.split(':');
  return SELECTORS[kind]?.(name) ?? '';
}

/**
 * Frames parts of the page for as long as a step asks for something. By a style sheet of its own: what it frames may not be
 * there yet, and is rendered by somebody else.
 */
export function usePointers(pointers: readonly Pointer[]): void {
  const selector = pointers.map(selectorOf).filter(Boolean).join(', ');
  useEffect(() => {
    if (selector === '') return;
    const sheet = new CSSStyleSheet();
    // What stands at the edge of a column that scrolls would be cut there.
    sheet.replaceSync(
      `${selector} { outline: 3px solid var(--action); outline-offset: 2px; border-radius: 6px; } .controls :is(${selector}) { outline-offset: -2px; }`,
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [selector]);
}
