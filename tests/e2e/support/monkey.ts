import type { Page } from 'playwright-core';
import { encodePng } from './png';
import type { Random } from './random';

/** Random user actions. Each does one thing and describes it, for error messages. */

const TYPED = ['1', '2', '3', '4', '5', '7', '0', '-1', '999', '1e9', 'abc', '', '2.5', 'NaN'];
const KEYS = [
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown', 'Tab', 'Shift+Tab'],
  ...[
    'Enter',
    'Escape',
    'Space',
    'Delete',
    '5',
    '-',
    'e',
    'l',
    'x',
    'r',
    'k',
    '?',
    'Control+Z',
    'Control+Z',
    'Control+Y',
    'Control+B',
  ],
  ...['Alt+PageDown', 'Alt+PageUp'],
];
const LINKS = [
  'h=5&kh=3&x=ramp&weights=countdown:9',
  'n=2&h=6&c=4&k=4&groups=2&kh=3&padding=same&x=random:3&weights=random:4&bias=ones&dy=mse:0&cell=y.5',
  'h=7&w=9&kh=2&kw=3&stride=2x1&dilation=1x2&padding=full&x=ramp&weights=random:2&dy=log_cosh:0&mode=dx',
  'h=32&kh=3&padding=same&x=sample:portrait&weights=filter:sharpen&mode=lowering',
  'h=96&w=96&kh=3&c=3&k=2&x=random:1&weights=random:5&mode=dw',
  'h=5&kh=3&k=30&x=ramp&weights=ones&mode=gradient-check',
  'h=4&kh=9',
  'a&b&h=x',
  'h=6&kh=3&x=constant:2&weights=ones&dy=one_hot:3&mode=dx&dx.way=scatter',
  'h=9&kh=3&x=ramp:-40&weights=ramp:-4&layer.2=relu&layer.3=max_pool;kernel:2&dy=mse:0&mode=network',
  'h=8&kh=2&x=ramp&weights=ramp:1&layer.1=conv;kh:3;kw:3;weights:countdown:4&layer.2=average_pool;kernel:2;stride:1&mode=dx',
];
/** Pasted texts: named tensors, a table, a cell, unreadable text, and text without meaning here. */
const PASTED = [
  'x = tensor([[1., 2., 3.],\n        [4., 5., 6.],\n        [7., 8., 9.]])\nw = [[1, 0], [0, -1]]',
  '1\t2\t3\n4\t5\t6\n7\t8\t9',
  'dy = [[1, -1], [0.5, 1e-3]]',
  '7',
  '[1, [2',
  'nan inf\n-inf 0',
  '[[[[[[1]]]]]]',
];
const KINDS = [
  ...[
    'click',
    'click',
    'click',
    'cell',
    'cell',
    'cell',
    'type',
    'type',
    'slide',
    'slide',
    'choose',
    'choose',
    'key',
    'key',
  ],
  ...[
    'undo',
    'undo',
    'mode',
    'mode',
    'layer',
    'layer',
    'link',
    'picture',
    'numbers',
    'numbers',
    'theme',
    'window',
    'value',
  ],
] as const;

export async function performRandomAction(page: Page, { below, one }: Random): Promise<string> {
  const kind = one(KINDS);
  const [a, b] = [below(1 << 20), one(TYPED)];
  if (kind === 'key') {
    const key = one(KEYS);
    await page.keyboard.press(key);
    return `key ${key}`;
  }
  if (kind === 'theme') {
    const [colorScheme, reducedMotion] = [one(['light', 'dark'] as const), one(['reduce', 'no-preference'] as const)];
    await page.emulateMedia({ colorScheme, reducedMotion, forcedColors: one(['none', 'none', 'active'] as const) });
    return `${colorScheme}, motion ${reducedMotion}`;
  }
  if (kind === 'window') {
    const width = one([1440, 1440, 1000, 390]);
    await page.setViewportSize({ width, height: one([900, 600]) });
    return `window of ${width}`;
  }
  if (kind === 'numbers') return page.evaluate(numbersIn, { text: one(PASTED), isFile: a % 3 === 0 });
  if (kind === 'picture') return picture(page, 1 + (a % 12), 1 + below(12));
  return page.evaluate(inPage, { kind, a, b, link: one(LINKS) });
}

/** Evaluated in the page: a handle in the driver would keep removed controls in memory. */
async function picture(page: Page, width: number, height: number): Promise<string> {
  const png = encodePng(width, height, (row, col) => [row * 20, col * 20, 99]);
  const bytes = [...(width === 1 ? png.subarray(0, 40) : png)];
  return page.evaluate((data) => {
    const input = document.querySelector<HTMLInputElement>('input[type=file][accept*="image"]');
    if (!input) return 'no picture';
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(data)], 'any.png', { type: 'image/png' }));
    input.files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    return `picture of ${data.length} bytes`;
  }, bytes);
}

/** Pasted, or dropped as a file. */
function numbersIn({ text, isFile }: { readonly text: string; readonly isFile: boolean }): string {
  const data = new DataTransfer();
  if (isFile) data.items.add(new File([text], 'any.txt', { type: 'text/plain' }));
  else data.setData('text/plain', text);
  const target = document.activeElement ?? document.body;
  target.dispatchEvent(
    isFile
      ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
      : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
  );
  return `${isFile ? 'drop' : 'paste'} ${text}`;
}

interface Doing {
  readonly kind: string;
  readonly a: number;
  readonly b: string;
  readonly link: string;
}

function inPage({ kind, a, b, link }: Doing): string {
  const some = <E extends Element>(selector: string, which: (element: E) => boolean = () => true): E | null => {
    const dialog = document.querySelector('dialog[open]');
    const all = [...(dialog ?? document).querySelectorAll<E>(selector)].filter(
      (element) => element.getClientRects().length > 0 && !element.matches(':disabled') && which(element),
    );
    return all[a % Math.max(1, all.length)] ?? null;
  };
  const nameOf = (element: Element | null) =>
    element ? (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40) : 'nothing';
  const say = (element: HTMLElement, type: string) => element.dispatchEvent(new Event(type, { bubbles: true }));
  if (kind === 'link') {
    location.hash = link;
    return `link ${link}`;
  }
  if (kind === 'undo') {
    const button = some<HTMLElement>('button[aria-label^="Undo"], button[aria-label^="Redo"]');
    button?.click();
    return nameOf(button);
  }
  if (kind === 'mode') {
    const tab = some<HTMLElement>('main [role=tab]');
    tab?.click();
    return `tab ${nameOf(tab)}`;
  }
  if (kind === 'layer') {
    // Opens the view Network first.
    const button =
      some<HTMLElement>('.net-card button, .net-added button, .net .dy-menu__button') ??
      some<HTMLElement>('.views [data-tab~="network"], .breadcrumb .button');
    button?.click();
    return `layer ${nameOf(button)}`;
  }
  if (kind === 'click') {
    // Skips links away from the page and file dialogs.
    const button = some<HTMLElement>(
      'button, [role=tab], summary, input[type=radio], input[type=checkbox], .slices button',
      (element) =>
        !/again|reload|open a picture|open numbers|browse/i.test(
          `${element.textContent} ${element.getAttribute('aria-label')}`,
        ),
    );
    button?.click();
    return `click ${nameOf(button)}`;
  }
  if (kind === 'cell') {
    const cell = some<HTMLElement>('[role=gridcell]');
    cell?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }));
    if (a % 3 > 0) cell?.click();
    if (a % 3 > 1) cell?.focus();
    return `cell ${nameOf(cell)}`;
  }
  if (kind === 'value') {
    const cell = some<HTMLElement>('[role=grid][aria-readonly=false] [role=gridcell]');
    cell?.click();
    cell?.focus();
    cell?.dispatchEvent(new KeyboardEvent('keydown', { key: '7', bubbles: true, cancelable: true }));
    const box = document.activeElement;
    if (!(box instanceof HTMLInputElement)) return 'no value';
    box.value = b;
    say(box, 'input');
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    return `value ${b} into ${nameOf(cell)}`;
  }
  if (kind === 'type') {
    const field = some<HTMLInputElement>('[role=spinbutton]');
    if (!field) return 'no field';
    field.focus();
    field.value = b;
    say(field, 'input');
    if (a % 2) field.blur();
    return `type ${b} into ${field.labels?.[0]?.textContent}`;
  }
  if (kind === 'slide') {
    const slider = some<HTMLInputElement>('input[type=range]');
    if (!slider) return 'no slider';
    // Small problems: large ones have separate tests.
    slider.value = String(Number(slider.min) + (a % Math.min(10, 1 + Number(slider.max) - Number(slider.min))));
    say(slider, 'input');
    return `slide to ${slider.value} of ${slider.max}`;
  }
  const select = some<HTMLSelectElement>('select');
  if (!select) return 'no choice';
  select.selectedIndex = a % select.options.length;
  say(select, 'change');
  return `choose ${select.value}`;
}
