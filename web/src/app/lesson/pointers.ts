import { useEffect } from 'preact/hooks';
import type { Pointer, StepData } from '../../lessons/lesson';
import { PADDING_MODES } from '../../protocol/problem';
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

/** The button that opens the controls of a narrow page. */
const CONTROLS = '.toolbar [aria-controls="controls"]';

/** Selector of each kind of pointer. */
const SELECTORS: Readonly<Record<string, (name: string) => string>> = {
  tab: (name) => `.views [data-tab~="${name}"], .view-menu .menu__button`,
  option: (name) => `main label:has(> input[value="${name}"]), .rail__section label:has(> input[value="${name}"])`,
  field: (name) => `[data-field="${name}"], ${CONTROLS}`,
  // A tensor of a network is known by the name of its grid.
  panel: (name) =>
    /\d$/.test(name)
      ? `main .panel__frame:has([aria-label="${name}"])`
      : `main :is(.panel--${name}, .panel--${name}_uncropped) .panel__frame`,
  controls: (name) => `#controls-${name}, ${CONTROLS}`,
  player: () => 'main .dock',
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

/** A question, with the row and the column of the cell that it asks for. */
export interface AskedPlace {
  readonly tensor: string;
  readonly row: number;
  readonly col: number;
}

/** The frame of the asked cell, which stays while the player or the pointer outlines other cells. Above what is not computed yet. */
const askedRule = ({ tensor, row, col }: AskedPlace): string =>
  `${selectorOf(`panel:${tensor}`)} .cell--hidden[data-row="${row}"][data-col="${col}"] { position: relative; z-index: 1; outline: 3px solid var(--action); outline-offset: -3px; }`;

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

/** Tabs and options touch a clipping edge, so their outline is inside; other targets have room for it outside. */
const ruleOf = (pointer: Pointer): string =>
  `${selectorOf(pointer)} { outline: 3px solid var(--action); outline-offset: ${/^(tab|option):/.test(pointer) ? -3 : 1}px; border-radius: 6px; }`;

/**
 * Outlines parts of the page while a task is open, and scrolls to the first of them and to the cell of the step. Uses a style sheet because
 * the targets may not be rendered yet and belong to other components. `name`: of the step.
 */
export function usePointers(name: string, pointers: readonly Pointer[], asked: AskedPlace | null = null): void {
  const rules = [...pointers.map(ruleOf), ...(asked ? [askedRule(asked)] : [])].join(' ');
  const first = pointers[0] ? selectorOf(pointers[0]) : '';
  const section = pointers.map(sectionAt).find((found) => found !== null) ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next step may point at the same part
  useEffect(() => {
    pointedSection.value = section;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    // A control may be scrolled out of its column, a panel and a cell out of the stage.
    const end = inFrame(
      () => find('main .canvas') !== null && (first === '' || find(first) !== null),
      () => {
        const [target, cell] = [find(first), find('main .mark--focus')];
        // Of a panel the cell is enough: more of it could push another panel out.
        for (const part of cell && target?.contains(cell) ? [cell] : [target, cell])
          part?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      },
    );
    return () => {
      end();
      pointedSection.value = null;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [name, rules, first, section]);
}
