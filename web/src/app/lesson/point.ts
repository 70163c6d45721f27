import { useEffect } from 'preact/hooks';
import type { Pointer } from '../../lessons/lesson';

/** What each kind of pointer frames. */
const SELECTORS: Readonly<Record<string, (name: string) => string>> = {
  tab: (name) => `main [data-tab="${name}"]`,
  option: (name) => `main label:has(> input[value="${name}"]), .rail__section label:has(> input[value="${name}"])`,
  field: (name) => `[data-field="${name}"], .phone-sheet [data-tab="controls"]`,
  panel: (name) => `main .panel--${name} .panel__frame`,
  controls: (name) => `#controls-${name}, .phone-sheet [data-tab="controls"]`,
  player: () => 'main .scrubber',
};

export function selectorOf(pointer: Pointer): string {
  const [kind = '', name = ''] = pointer.split(':');
  return SELECTORS[kind]?.(name) ?? '';
}

/** Frames in which what is pointed at may still be on its way. */
const PATIENCE = 120;

/** Around a panel there is room; what else is framed stands at the edge of something that cuts it off. */
const ruleOf = (pointer: Pointer): string =>
  `${selectorOf(pointer)} { outline: 3px solid var(--action); outline-offset: ${pointer.startsWith('panel:') ? 2 : -2}px; border-radius: 6px; }`;

/**
 * Frames parts of the page for as long as a step asks for something. By a style sheet of its own: what it frames may not be
 * there yet, and is rendered by somebody else.
 */
export function usePointers(pointers: readonly Pointer[]): void {
  const rules = pointers.map(ruleOf).join(' ');
  const first = pointers[0] ? selectorOf(pointers[0]) : '';
  useEffect(() => {
    if (rules === '') return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    // A control may stand further down than its column shows, a panel below the sheet of a narrow page.
    let frame = 0;
    const seek = (frames: number) => {
      const target = document.querySelector(first);
      target?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      if (!target && frames > 0) frame = requestAnimationFrame(() => seek(frames - 1));
    };
    frame = requestAnimationFrame(() => seek(PATIENCE));
    return () => {
      cancelAnimationFrame(frame);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [rules, first]);
}
