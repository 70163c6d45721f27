/** Elements by role and accessible name, as a screen reader names them: the part of ARIA that the page uses. */

const ROLES = {
  banner: 'header',
  button: 'button:not([role])',
  cell: 'td',
  checkbox: 'input[type=checkbox]',
  combobox: 'select',
  dialog: 'dialog[open]',
  definition: 'dd',
  grid: '[role=grid]',
  gridcell: '[role=gridcell]',
  group: 'fieldset, [role=group]',
  heading: 'h1, h2, h3, h4',
  img: '[role=img]',
  main: 'main',
  menuitem: '[role=menuitem]',
  note: '[role=note]',
  radio: 'input[type=radio]',
  region: 'section',
  row: '[role=row], tr',
  slider: 'input[type=range]:not([aria-hidden])',
  spinbutton: '[role=spinbutton]',
  status: '[role=status], output',
  tab: '[role=tab]',
  tabpanel: '[role=tabpanel]',
  textbox: 'input[type=text]:not([role]), input:not([type]), textarea',
} as const;
export type Role = keyof typeof ROLES;

const squeezed = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();

/** Text without parts for the eye only. */
function spoken(element: Element): string {
  if (!element.querySelector('[aria-hidden=true]')) return squeezed(element.textContent);
  const copy = element.cloneNode(true) as Element;
  for (const silent of copy.querySelectorAll('[aria-hidden=true]')) silent.remove();
  return squeezed(copy.textContent);
}

/** The accessible name. */
export function nameOf(element: Element): string {
  const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
  if (ids.length > 0) return squeezed(ids.map((id) => document.getElementById(id)?.textContent).join(' '));
  const label = element.getAttribute('aria-label');
  if (label) return label;
  if (element.localName === 'fieldset') return squeezed(element.querySelector('legend')?.textContent);
  if (!['input', 'select', 'textarea'].includes(element.localName)) {
    return spoken(element) || (element.getAttribute('title') ?? '');
  }
  const own = element.closest('label') ?? (element.id && document.querySelector(`label[for="${element.id}"]`));
  return own ? spoken(own) : (element.getAttribute('title') ?? '');
}

/** All elements with a role, in the order of the document. A name as text is the whole name. */
export function all(role: Role, name?: string | RegExp, within: ParentNode = document): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(ROLES[role])].filter((element) => {
    if (element.closest('[hidden]')) return false;
    if (name === undefined) return true;
    return typeof name === 'string' ? nameOf(element) === name : name.test(nameOf(element));
  });
}

/** The only one. */
export function one(role: Role, name?: string | RegExp, within: ParentNode = document): HTMLElement {
  const found = all(role, name, within);
  const [first] = found;
  if (!first || found.length > 1) {
    const names = all(role, undefined, within).map((element) => nameOf(element).slice(0, 40));
    throw new Error(`${found.length} of role ${role} are named ${name}; there are ${JSON.stringify(names)}`);
  }
  return first;
}

/** The first with a selector. */
export function part(selector: string, within: ParentNode = document): HTMLElement {
  const found = within.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`nothing matches ${selector}`);
  return found;
}

export const texts = (selector: string, within: ParentNode = document): string[] =>
  [...within.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '');

export const says = (text: string | RegExp, within: Element = document.body): boolean =>
  typeof text === 'string' ? (within.textContent ?? '').includes(text) : text.test(within.textContent ?? '');

export const grid = (name: string): HTMLElement => one('grid', name);
export const hasGrid = (name: string): boolean => all('grid', name).length > 0;

/** The cell at a row and a column of a grid as drawn: for x, including the ring of padding. */
export function cellAt(name: string, row: number, col: number): HTMLElement {
  const found = grid(name).querySelectorAll('[role=row]')[row]?.querySelectorAll<HTMLElement>('[role=gridcell]')[col];
  if (!found) throw new Error(`${name} has no cell ${row}, ${col}`);
  return found;
}

const numbersIn = (cells: readonly string[]): number[] =>
  cells
    // A value that is too small for its cell is displayed as about 0.
    .map((text) => text.trim().replace('\u2212', '-').replace('\u2248', ''))
    .filter(Boolean)
    .map(Number);

/** The text of a cell, or of its lens where no text fits. */
const writtenIn = (cell: Element): string =>
  (cell.matches('.cell--bare') ? cell.getAttribute('data-value') : cell.textContent) ?? '';

/** The displayed values of a grid, row by row, without the ring of padding. */
export const shown = (name: string): number[] => numbersIn(all('gridcell', undefined, grid(name)).map(writtenIn));

/** The same at full precision: if a cell is too small, its description has the value. */
export const exact = (name: string): number[] =>
  numbersIn(
    all('gridcell', undefined, grid(name)).map((cell) => cell.getAttribute('aria-description') ?? writtenIn(cell)),
  );

export const numberIn = (text: string | null | undefined): number => numbersIn([text ?? ''])[0] ?? Number.NaN;
