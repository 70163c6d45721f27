import { VIEWS } from '../../../../web/src/views/list';
import { all, one, part, texts } from './find';
import { click } from './user';

/** The parts of the page that many tests use. */

/** The titles of all views, the opening view last. */
export const MODES: readonly string[] = [...VIEWS.slice(1), ...VIEWS.slice(0, 1)].map(({ title }) => title);

/** Opens a view; its content, choices and player are in the main part of the page. */
export async function openMode(title: string): Promise<HTMLElement> {
  const tab = () => all('tab', title).find((found) => found.closest('.views'));
  const group = VIEWS.find((view) => view.title === title)?.group;
  if (!tab() && group) await click(one('tab', group));
  await click(tab() ?? one('tab', title));
  return one('main');
}

/** Chooses an item of a menu in the header. */
export async function chooseFrom(menu: 'Share' | 'More', item: string): Promise<void> {
  await click(one('button', menu, one('banner')));
  await click(one('menuitem', new RegExp(`^${item}`)));
}

/** Opens the menu of dy, if it is closed. */
export async function openDyMenu(): Promise<HTMLElement> {
  const button = one('button', /^dy /, one('main'));
  if (button.getAttribute('aria-expanded') !== 'true') await click(button);
  return one('group', 'dy');
}

/** A choice among radio buttons. */
export const choose = (name: string, within: ParentNode = document): Promise<void> => click(one('radio', name, within));

export const isChecked = (box: HTMLElement): boolean => (box as HTMLInputElement).checked;
export const textOf = (field: HTMLElement): string => (field as HTMLInputElement).value;

export const explained = (): HTMLElement => one('region', 'Explain');
/** The heading of the explanation: the name of the cell and its value. */
export const headline = (): string => part('h2', explained()).textContent ?? '';
/** The value of a row of its totals. */
export const total = (term: string): string | null | undefined =>
  [...explained().querySelectorAll('dt')].find((dt) => dt.textContent?.includes(term))?.nextElementSibling?.textContent;

export const slider = (name?: string | RegExp): HTMLElement => one('slider', name, one('main'));
export const reached = (name?: string | RegExp): string | null => slider(name).getAttribute('aria-valuetext');
export const sentence = (): string => part('main .scrubber__sentence').textContent ?? '';

interface Block {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

/** The marks of a tone in the panel of a tensor, as blocks of drawn cells. */
export function marks(panel: string, tone: string): Block[] {
  const cell = Number.parseFloat(part(`main .panel--${panel} .number-grid`).style.getPropertyValue('--cell'));
  return [...document.querySelectorAll(`main .panel--${panel} .mark--${tone} .mark__line`)].flatMap((line) =>
    blocksOf(line.getAttribute('d') ?? '', cell),
  );
}

const blocksOf = (path: string, cell: number): Block[] =>
  [...path.matchAll(/M([\d.-]+) ([\d.-]+)h([\d.-]+)v([\d.-]+)/g)].map(([, x, y, width, height]) => ({
    row: Math.round(Number(y) / cell),
    col: Math.round(Number(x) / cell),
    rows: Math.round(Number(height) / cell),
    cols: Math.round(Number(width) / cell),
  }));

/** What a step marks: its cell, the cells read and the cells written, by panel. */
export const frames = (): string =>
  [...document.querySelectorAll('main .mark--focus, main .mark--source, main .mark--target')]
    .map((mark) => {
      const panel = mark.closest('[class*="panel--"]')?.className ?? '';
      return `${panel} ${mark.classList[1]} ${mark.querySelector('.mark__line')?.getAttribute('d')}`;
    })
    .sort()
    .join('\n');

/** The loss of the overview. */
export const loss = (): string => texts('.loss').join('');
