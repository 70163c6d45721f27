import type { Point } from './driver';

/** An element as assistive technology sees it: its ARIA role and accessible name. */
export interface Target {
  readonly role: string;
  readonly name: string;
  /** The name only starts with this text. */
  readonly begins?: boolean;
  /** The first of several; otherwise it must be unique. */
  readonly first?: boolean;
  readonly within?: Target;
}

/**
 * Functions that run in the page, sent as text with each query so that the page stores nothing. They must not use
 * outside variables. They wait in the page, per frame, instead of polling from here.
 */
export function createProbe() {
  const PATIENCE = 30_000;
  const FROM_CONTENT = new Set([
    'button',
    'menuitem',
    'menuitemradio',
    'tab',
    'heading',
    'row',
    'cell',
    'option',
    'link',
  ]);
  const SELECTORS: Readonly<Record<string, string>> = {
    button: 'button',
    cell: 'td',
    checkbox: 'input[type=checkbox]',
    combobox: 'select',
    complementary: 'aside',
    dialog: 'dialog',
    group: 'fieldset',
    heading: 'h1, h2, h3, h4',
    main: 'main',
    progressbar: 'progress',
    radio: 'input[type=radio]',
    region: 'section',
    row: 'tr',
    slider: 'input[type=range]',
    textbox: 'input[type=text]',
  };

  const words = (text: string) => text.replace(/\s+/g, ' ').trim();
  const textOf = (element: Element): string => {
    const copy = element.cloneNode(true) as Element;
    for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
    return words(copy.textContent ?? '');
  };
  const nameOf = (element: Element, role: string): string => {
    const label = element.getAttribute('aria-label');
    if (label !== null) return words(label);
    const named = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const by = named.map((id) => document.getElementById(id)).filter((found) => found !== null);
    if (by.length > 0) return by.map(textOf).join(' ');
    const labels = [...((element as HTMLInputElement).labels ?? [])];
    if (labels.length > 0) return labels.map(textOf).join(' ');
    if (element instanceof HTMLFieldSetElement) return textOf(element.querySelector('legend') ?? element);
    return FROM_CONTENT.has(role) ? textOf(element) : '';
  };

  const all = ({ role, name, begins, first, within }: Target): readonly Element[] => {
    const roots: readonly ParentNode[] = within ? all(within) : [document];
    const selector = [`[role=${role}]`, ...(SELECTORS[role] ?? '').split(', ').filter(Boolean)].join(', ');
    const found = roots
      .flatMap((root) => [...root.querySelectorAll(selector)])
      .filter((element) => (element.getAttribute('role') ?? role) === role)
      .filter((element) => !element.closest('[aria-hidden=true]') && element.checkVisibility())
      .filter((element) => {
        const own = nameOf(element, role);
        return begins ? own.startsWith(name) : own === name;
      });
    return first ? found.slice(0, 1) : found;
  };

  /** The first result of `look`, checked in every frame; on timeout, its last result. */
  const later = async <T>(look: () => T, enough: (found: T) => boolean): Promise<T> => {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const found = look();
      if (enough(found) || performance.now() > end) return found;
      await new Promise(requestAnimationFrame);
    }
  };
  const one = async (target: Target): Promise<HTMLElement> => {
    const found = await later(
      () => all(target),
      (elements) => elements.length > 0,
    );
    if (found.length !== 1) throw new Error(`${found.length} elements are ${JSON.stringify(target)}`);
    return found[0] as HTMLElement;
  };

  /** A point of an element that receives pointer events, once the element no longer moves. */
  const pointOn = async (element: HTMLElement, acrossShare = 0.5): Promise<Point> => {
    // Inputs for screen readers only are clicked through their label.
    const shown = element instanceof HTMLInputElement && element.type === 'radio' ? element.labels?.[0] : element;
    if (!shown) throw new Error('a radio button without a label');
    shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const look = () => {
      const box = shown.getBoundingClientRect();
      const [x, y] = [box.left + box.width * acrossShare, box.top + box.height / 2];
      const top = document.elementFromPoint(x, y);
      return { x, y, hit: top !== null && shown.contains(top) };
    };
    let last = look();
    const point = await later(look, (now) => {
      const still = now.hit && now.x === last.x && now.y === last.y;
      last = now;
      return still;
    });
    if (!point.hit) throw new Error(`another element covers ${shown.outerHTML.slice(0, 200)}`);
    return { x: point.x, y: point.y };
  };

  const cells = (grid: Element) => [...grid.querySelectorAll<HTMLElement>('[role=gridcell]')];
  // Padding cells are empty. A cell without room for its figure has a lens.
  const isNumber = (cell: HTMLElement) =>
    cell.hasAttribute('data-value') && (cell.textContent !== '' || cell.matches('.cell--bare'));
  const numbersIn = (grid: Element | undefined) =>
    (grid ? cells(grid).filter(isNumber) : []).map((cell) => Number(cell.getAttribute('data-value')));

  /** Waits until the page accepts what is dragged over it, which comes with the second chunk. */
  const listening = async () => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], 'x.npy'));
    const accepts = () => {
      const over = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(over);
      document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true }));
      return over.defaultPrevented;
    };
    if (!(await later(accepts, (heard) => heard))) throw new Error('the page listens to no files');
  };

  return {
    /** Waits until it exists. */
    async present(target: Target): Promise<void> {
      await one(target);
    },
    async absent(target: Target): Promise<void> {
      const left = await later(
        () => all(target).length,
        (count) => count === 0,
      );
      if (left > 0) throw new Error(`${JSON.stringify(target)} is still there`);
    },
    async pointOn(target: Target): Promise<Point> {
      return pointOn(await one(target));
    },
    /** The center of the cell with this index among the cells of a grid, row by row. */
    async cell(grid: Target, index: number): Promise<Point> {
      const cell = cells(await one(grid)).filter(isNumber)[index];
      if (!cell) throw new Error(`${JSON.stringify(grid)} has no number ${index}`);
      return pointOn(cell);
    },
    /** A point on the slider next to a number field, at `share` of its length from the left. */
    async onSlider(field: Target, share: number): Promise<Point> {
      const slider = (await one(field)).parentElement?.querySelector<HTMLElement>('input[type=range]');
      if (!slider) throw new Error(`${JSON.stringify(field)} has no slider`);
      return pointOn(slider, share);
    },
    async focus(target: Target): Promise<void> {
      (await one(target)).focus();
    },
    /** The focused element, by its accessible name. */
    focused(): string {
      const element = document.activeElement;
      return element ? `${element.getAttribute('role') ?? element.localName} ${nameOf(element, '')}`.trim() : '';
    },
    /** The text, once it contains `part`; on timeout, the last text. */
    async text(target: Target, part: string): Promise<string> {
      const element = await one(target);
      return later(
        () => words(element.textContent ?? ''),
        (found) => found.includes(part),
      );
    },
    /** The texts of all elements, once there is one and none is empty. */
    async texts(target: Target): Promise<readonly string[]> {
      return later(
        () => all(target).map((element) => words(element.textContent ?? '')),
        (found) => found.length > 0 && !found.includes(''),
      );
    },
    /** The attribute, once it has this value; on timeout, its last value. */
    async attributeBecomes(target: Target, name: string, wanted: string): Promise<string | null> {
      const element = await one(target);
      return later(
        () => element.getAttribute(name),
        (found) => found === wanted,
      );
    },
    /** The values of a grid at full precision, row by row, without padding. */
    async numbers(grid: Target): Promise<readonly number[]> {
      return numbersIn(await one(grid));
    },
    /** The values, once they equal `wanted` (or start with it); on timeout, the last values. */
    async numbersBecome(grid: Target, wanted: readonly number[], whole: boolean): Promise<readonly number[]> {
      return later(
        () => numbersIn(all(grid)[0]).slice(0, whole ? undefined : wanted.length),
        (found) => found.length === wanted.length && found.every((value, i) => value === wanted[i]),
      );
    },
    /** Selects a radio button without a pointer. */
    async choose(target: Target): Promise<void> {
      const radio = (await one(target)) as HTMLInputElement;
      if (!radio.checked) radio.click();
    },
    /** Sets the value directly: native lists cannot be operated in every engine. */
    async select(target: Target, label: string): Promise<void> {
      const list = (await one(target)) as HTMLSelectElement;
      const option = [...list.options].find((each) => each.label === label);
      if (!option) throw new Error(`${JSON.stringify(target)} has no ${label}`);
      list.value = option.value;
      list.dispatchEvent(new Event('change', { bubbles: true }));
    },
    /** Drops a file on the page, once it listens. */
    async drop(name: string, type: string, bytes: readonly number[]): Promise<void> {
      await listening();
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
      for (const kind of ['dragover', 'drop']) {
        const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer });
        document.body.dispatchEvent(event);
      }
    },
    /** Pastes a text into the page, once it listens. */
    async paste(text: string): Promise<void> {
      await listening();
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      // Firefox ignores clipboardData, and has these in its place.
      const init = { clipboardData, dataType: 'text/plain', data: text, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new ClipboardEvent('paste', init));
    },
    /** The address, once its fragment matches all patterns; on timeout, the last address. */
    address(patterns: readonly string[]): Promise<string> {
      return later(
        () => location.href,
        () => patterns.every((pattern) => new RegExp(pattern).test(location.hash)),
      );
    },
    /** The number of pixels by which the page is wider than its window. */
    overflow(): number {
      return document.documentElement.scrollWidth - document.documentElement.clientWidth;
    },
    /** Errors of the page and requests to other servers. */
    troubles(): readonly string[] {
      const foreign = performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => !/^(blob|data):/.test(name) && new URL(name).origin !== location.origin);
      const recorded = (window as { troubles?: readonly string[] }).troubles ?? ['nothing listened for errors'];
      return [...recorded, ...foreign.map((name) => `request: ${name}`)];
    },
  };
}

export type Probe = ReturnType<typeof createProbe>;

/**
 * Runs first in the page: collects errors for `troubles`, since not every driver reports them. Failed `modulepreload`
 * requests are not errors: Firefox reports them even for files that it has.
 */
export const ERROR_RECORDER = `<script>
  window.troubles = [];
  addEventListener('error', ({ message, target }) => {
    if (target.rel !== 'modulepreload') troubles.push('uncaught: ' + (message ?? target.outerHTML));
  }, true);
  addEventListener('unhandledrejection', (event) => troubles.push('rejected: ' + event.reason));
  const original = console.error;
  console.error = (...values) => { troubles.push('console: ' + values.join(' ')); original(...values); };
</script>`;
