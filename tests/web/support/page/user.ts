import { closePopover, openPopovers, togglePopover } from './browser';
import { cellAt } from './find';
import { rendered, settle } from './open';

/** What a user does with mouse and keyboard. Each action waits until the page is settled. */

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]';

interface PointerOptions {
  readonly pointerType?: 'mouse' | 'touch';
}

const pointer = (target: EventTarget, type: string, options: PointerEventInit = {}): boolean =>
  target.dispatchEvent(
    new PointerEvent(type, { bubbles: !/enter|leave/.test(type), cancelable: true, pointerType: 'mouse', ...options }),
  );

let under: Element | null = null;

/** Moves the mouse from the element under it to another one; null: to nothing. */
function point(to: Element | null, options: PointerEventInit = {}): void {
  if (under === to) return;
  const from = under?.isConnected ? under : null;
  under = to;
  if (from) {
    pointer(from, 'pointerout', { ...options, relatedTarget: to });
    for (let left: Element | null = from; left && !left.contains(to); left = left.parentElement) {
      pointer(left, 'pointerleave', { ...options, relatedTarget: to });
    }
  }
  if (!to) return;
  pointer(to, 'pointerover', { ...options, relatedTarget: from });
  for (let entered: Element | null = to; entered && !entered.contains(from); entered = entered.parentElement) {
    pointer(entered, 'pointerenter', { ...options, relatedTarget: from });
  }
  pointer(to, 'pointermove', options);
}

export async function hover(element: Element | null): Promise<void> {
  point(element);
  await settle();
}

function focusFrom(element: Element): void {
  const popover = element.closest('[data-open-popover]');
  for (const open of openPopovers()) {
    if (open !== popover && !element.closest(`[popovertarget="${open.id}"]`)) closePopover(open);
  }
  const target = element.closest<HTMLElement>(FOCUSABLE);
  if (target) target.focus();
  else (document.activeElement as HTMLElement | null)?.blur();
}

function press1(element: HTMLElement, options: PointerOptions): void {
  point(element, options);
  const canFocus = pointer(element, 'pointerdown', { ...options, buttons: 1 });
  element.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
  if (canFocus) focusFrom(element);
  pointer(element, 'pointerup', options);
  element.dispatchEvent(new MouseEvent('mouseup', { bubbles: true, cancelable: true }));
  element.click();
  togglePopover(element);
}

export async function click(element: HTMLElement): Promise<void> {
  press1(element, {});
  await settle();
}

export async function tap(element: HTMLElement): Promise<void> {
  press1(element, { pointerType: 'touch' });
  point(null, { pointerType: 'touch' });
  await settle();
}

export async function focus(element: HTMLElement): Promise<void> {
  element.focus();
  await settle();
}

const isText = (element: Element): element is HTMLInputElement | HTMLTextAreaElement =>
  element.localName === 'textarea' || (element instanceof HTMLInputElement && ['text', ''].includes(element.type));

const input = (element: HTMLElement): boolean =>
  element.dispatchEvent(new InputEvent('input', { bubbles: true, cancelable: true }));

/** What a browser does with a key that the page leaves to it. */
function defaultAction(target: HTMLElement, key: string, isCommand: boolean): void {
  if (key === 'Escape') for (const open of openPopovers()) closePopover(open);
  if (isText(target)) typeKey(target, key, isCommand);
  else if (target instanceof HTMLInputElement && target.type === 'radio') arrowKey(target, key);
  else if ((key === ' ' || key === 'Enter') && target.matches('button, a[href], summary, input[type=checkbox]')) {
    if (key === 'Enter' && target.localName === 'input') return;
    target.click();
    togglePopover(target);
  }
}

function typeKey(target: HTMLInputElement | HTMLTextAreaElement, key: string, isCommand: boolean): void {
  const [start, end] = [target.selectionStart ?? target.value.length, target.selectionEnd ?? target.value.length];
  const write = (text: string, from = start) => {
    target.value = target.value.slice(0, from) + text + target.value.slice(end);
    target.setSelectionRange(from + text.length, from + text.length);
    input(target);
  };
  if (isCommand && key === 'a') target.setSelectionRange(0, target.value.length);
  else if (isCommand) return;
  else if (key === 'Delete' || key === 'Backspace') write('', start === end ? Math.max(0, start - 1) : start);
  else if (key === 'Enter') target.form?.requestSubmit();
  else if (key.length === 1) write(key);
}

function arrowKey(radio: HTMLInputElement, key: string): void {
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key];
  if (by === undefined) return;
  const group = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(
    ({ name }) => name === radio.name,
  );
  const next = group[(group.indexOf(radio) + by + group.length) % group.length];
  next?.focus();
  next?.click();
}

/** A key with its modifiers: "Control+z", "Shift+ArrowRight". */
export async function press(keys: string, at?: HTMLElement): Promise<void> {
  at?.focus();
  sendKey(keys);
  await settle();
}

/** The same without waiting for what else the page does. */
export async function pressQuickly(keys: string): Promise<void> {
  sendKey(keys);
  await rendered();
}

function sendKey(keys: string): void {
  const parts = keys === '+' ? ['+'] : keys.split('+');
  const key = parts.at(-1) ?? '';
  const target = (document.activeElement ?? document.body) as HTMLElement;
  const init = {
    key,
    ctrlKey: parts.includes('Control'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
    bubbles: true,
    cancelable: true,
  };
  if (target.dispatchEvent(new KeyboardEvent('keydown', init))) defaultAction(target, key, init.ctrlKey);
  target.dispatchEvent(new KeyboardEvent('keyup', init));
}

export async function type(text: string): Promise<void> {
  for (const letter of text) await press(letter);
}

/** The value of a field or a slider. */
export async function fill(field: HTMLElement, value: string): Promise<void> {
  field.focus();
  Object.assign(field, { value });
  input(field);
  await settle();
}

/** Of a number field. */
export async function enter(field: HTMLElement, value: string): Promise<void> {
  await fill(field, value);
  await press('Enter');
}

/** An entry of a list of choices. */
export async function select(box: HTMLElement, value: string): Promise<void> {
  Object.assign(box, { value });
  box.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
}

/** Types a value into a cell by keyboard. */
export async function typeInto(name: string, row: number, col: number, value: string): Promise<void> {
  await click(cellAt(name, row, col));
  await press('Enter');
  await press('Control+a');
  await type(value);
  await press('Enter');
}

/** Presses the mouse on an element and releases it on another, with one move in between. */
export async function drag(from: Element, to: Element): Promise<void> {
  const { elementFromPoint } = document;
  let at = from;
  document.elementFromPoint = () => at;
  point(from);
  pointer(from, 'pointerdown', { buttons: 1 });
  at = to;
  point(to, { buttons: 1 });
  pointer(to, 'pointerup');
  document.elementFromPoint = elementFromPoint;
  await settle();
}
