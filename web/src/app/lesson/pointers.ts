import { useEffect } from 'preact/hooks';
import type { Pointer, StepData } from '../../lessons/lesson';
import { PADDING_MODES } from '../../protocol/problem';
import { isWide } from '../page/hooks';
import { pointedSection, SECTIONS, type SectionId, sectionOf } from '../page/sections';

/**
 * The parts that a step outlines: those that it names, or where the fields of its solution are. A question outlines at most the tensor
 * of its cell: its solution would tell the answer.
 */
export function pointersOf({ points, asks, solution = '' }: StepData): readonly Pointer[] {
  if (points) return points;
  if (typeof asks === 'string') return pointerOf(`cell=${asks}`);
  return asks ? [] : solution.split('&').flatMap(pointerOf);
}

function pointerOf(field: string): readonly Pointer[] {
  const [key = '', value = ''] = field.split('=');
  // Follows kh.
  if (key === 'kw') return [];
  if (key === 'cell') return [`panel:${value.split('.')[0]}`];
  if (key === 'mode') return [`tab:${value}`];
  if (key.includes('.') && !Number.isNaN(Number(value))) return ['player'];
  if (key.includes('.') || key === 'padding') return [`option:${value}`];
  return [key === 'stride' || key === 'dilation' ? `field:${key}_h` : `field:${key}`];
}

/** Selector of each kind of pointer. */
const SELECTORS: Readonly<Record<string, (name: string) => string>> = {
  tab: (name) => `.views [data-tab~="${name}"]`,
  option: (name) => `main label:has(> input[value="${name}"]), .rail__section label:has(> input[value="${name}"])`,
  field: (name) => `[data-field="${name}"], .phone-sheet [data-tab="controls"]`,
  // A tensor of a network is known by the name of its grid.
  panel: (name) =>
    /\d$/.test(name) ? `main .panel__frame:has([aria-label="${name}"])` : `main .panel--${name} .panel__frame`,
  controls: (name) => `#controls-${name}, .phone-sheet [data-tab="controls"]`,
  player: () => 'main .scrubber',
};

export function selectorOf(pointer: Pointer): string {
  const [kind = '', name = ''] = pointer.split(':');
  return SELECTORS[kind]?.(name) ?? '';
}

function sectionAt(pointer: Pointer): SectionId | null {
  const [kind, name = ''] = pointer.split(':');
  if (kind === 'controls') return SECTIONS.find(({ id }) => id === name)?.id ?? null;
  if (kind === 'option') return PADDING_MODES.some((mode) => mode === name) ? 'moves' : null;
  return kind === 'field' ? sectionOf(name) : null;
}

/** Animation frames to wait for the target. */
const PATIENCE = 120;

/** Calls `act` in the first frame in which `isThere`, or in the last of PATIENCE. Returns what ends it. */
function inFrame(isThere: () => boolean, act: () => void): () => void {
  let frames = 0;
  let frame = requestAnimationFrame(function next() {
    frames += 1;
    if (isThere() || frames > PATIENCE) act();
    else frame = requestAnimationFrame(next);
  });
  return () => cancelAnimationFrame(frame);
}

const find = (selector: string): Element | null => (selector === '' ? null : document.querySelector(selector));

/**
 * Panels have room for an outline outside. Other targets touch a clipping edge, so their outline is inside. A player gets
 * padding because its buttons begin at its edge.
 */
const ruleOf = (pointer: Pointer): string =>
  `${selectorOf(pointer)} { outline: 3px solid var(--action); outline-offset: ${pointer.startsWith('panel:') ? 2 : -3}px; border-radius: 6px;${pointer === 'player' ? ' padding: 5px 6px;' : ''} }`;

/** Above the bottom sheet: the top of the view, or the pinned cell and the target if they are further down. */
function scrollNarrow(target: Element | null): void {
  document.querySelector('main .canvas')?.scrollIntoView({ block: 'start' });
  const pinned = document.querySelector('main .mark--focus');
  pinned?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  // Without a pinned cell there is more to see below the target than above.
  if (target?.closest('main') && !target.contains(pinned))
    target.scrollIntoView({ block: pinned ? 'nearest' : 'start', inline: 'nearest' });
}

/**
 * Outlines parts of the page while a task is open. Uses a style sheet because the targets may not be rendered yet and belong to
 * other components.
 */
export function usePointers(pointers: readonly Pointer[]): void {
  const rules = pointers.map(ruleOf).join(' ');
  const first = pointers[0] ? selectorOf(pointers[0]) : '';
  const section = pointers.map(sectionAt).find((found) => found !== null) ?? null;
  useEffect(() => {
    if (rules === '') return;
    pointedSection.value = section;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    // A control may be scrolled out of its column, a panel may be below the bottom sheet.
    const end = inFrame(
      () => find(first) !== null,
      () => find(first)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
    return () => {
      end();
      pointedSection.value = null;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [rules, first, section]);
}

/** On a narrow page, scrolls to what a step speaks of when it opens. `name`: of the step. */
export function useStepInView(name: string, [pointer]: readonly Pointer[]): void {
  const selector = pointer ? selectorOf(pointer) : '';
  // After the outline, which scrolls to the target only.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next step may point at the same part
  useEffect(
    () =>
      isWide()
        ? undefined
        : inFrame(
            () => find('main .canvas') !== null && (selector === '' || find(selector) !== null),
            () => scrollNarrow(find(selector)),
          ),
    [name, selector],
  );
}
