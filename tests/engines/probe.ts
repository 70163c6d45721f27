import type { Point } from './driver';

/** An element as a person calls it: its ARIA role and its accessible name. */
export interface Target {
  readonly role: string;
  readonly name: string;
  /** The name only begins like that. */
  readonly begins?: boolean;
  /** The first of several; else there may be only one. */
  readonly first?: boolean;
  readonly within?: Target;
}

/**
 * What is asked of the page. Sent to it as text with every question, so that the page keeps nothing of it: the function
 * must not use anything from outside. It waits in the page, for frames, instead of asking again and again from here.
 */
export function createProbe() {
  const PATIENCE = 10_000;
  const FROM_CONTENT = new Set(['button', 'tab', 'heading', 'row', 'cell', 'option', 'link']);
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
  };

  const words = (text: string) => text.replace(/\s+/g, ' ').trim();
  const spoken = (element: Element): string => {
    const copy = element.cloneNode(true) as Element;
    for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
    return words(copy.textContent ?? '');
  };
  const nameOf = (element: Element, role: string): string => {
    const label = element.getAttribute('aria-label');
    if (label !== null) return words(label);
    const named = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const by = named.map((id) => document.getElementById(id)).filter((found) => found !== null);
    if (by.length > 0) return by.map(spoken).join(' ');
    const labels = [...((element as HTMLInputElement).labels ?? [])];
    if (labels.length > 0) return labels.map(spoken).join(' ');
    if (element instanceof HTMLFieldSetElement) return spoken(element.querySelector('legend') ?? element);
    return FROM_CONTENT.has(role) ? spoken(element) : '';
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

  /** What `look` finds as soon as it finds something, looked for in every frame; the last it found when that is too late. */
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

  /** A place on an element where a pointer meets it, once it stands still. */
  const placeOn = async (element: HTMLElement, acrossShare = 0.5): Promise<Point> => {
    // What is only there for screen readers is operated by its label.
    const shown = element instanceof HTMLInputElement && element.type === 'radio' ? element.labels?.[0] : element;
    if (!shown) throw new Error('a radio button without a label');
    shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const look = () => {
      const box = shown.getBoundingClientRect();
      const [x, y] = [box.left + box.width * acrossShare, box.top + box.height / 2];
      const met = document.elementFromPoint(x, y);
      return { x, y, met: met !== null && shown.contains(met) };
    };
    let last = look();
    const place = await later(look, (now) => {
      const still = now.met && now.x === last.x && now.y === last.y;
      last = now;
      return still;
    });
    if (!place.met) throw new Error(`something lies over ${shown.outerHTML.slice(0, 200)}`);
    return { x: place.x, y: place.y };
  };

  const cells = (grid: Element) => [...grid.querySelectorAll<HTMLElement>('[role=gridcell]')];
  // Cells of the padding are blank.
  const isNumber = (cell: HTMLElement) => cell.hasAttribute('data-value') && cell.textContent !== '';
  const numbersIn = (grid: Element | undefined) =>
    (grid ? cells(grid).filter(isNumber) : []).map((cell) => Number(cell.getAttribute('data-value')));

  return {
    /** Waits until there is one. */
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
    async place(target: Target): Promise<Point> {
      return placeOn(await one(target));
    },
    /** The middle of the cell with the number of this index among those of a grid, row after row. */
    async cell(grid: Target, index: number): Promise<Point> {
      const cell = cells(await one(grid)).filter(isNumber)[index];
      if (!cell) throw new Error(`${JSON.stringify(grid)} has no number ${index}`);
      return placeOn(cell);
    },
    /** A place on the slider beside a number field, `share` of its length from the left. */
    async onSlider(field: Target, share: number): Promise<Point> {
      const slider = (await one(field)).parentElement?.querySelector<HTMLElement>('input[type=range]');
      if (!slider) throw new Error(`${JSON.stringify(field)} has no slider`);
      return placeOn(slider, share);
    },
    async focus(target: Target): Promise<void> {
      (await one(target)).focus();
    },
    /** What has the focus, in the words of a screen reader. */
    focused(): string {
      const element = document.activeElement;
      return element ? `${element.getAttribute('role') ?? element.localName} ${nameOf(element, '')}`.trim() : '';
    },
    /** The text, once `part` stands in it; else what it is in the end. */
    async text(target: Target, part: string): Promise<string> {
      const element = await one(target);
      return later(
        () => words(element.textContent ?? ''),
        (found) => found.includes(part),
      );
    },
    /** The texts of all of them, once there is one and none is empty. */
    async texts(target: Target): Promise<readonly string[]> {
      return later(
        () => all(target).map((element) => words(element.textContent ?? '')),
        (found) => found.length > 0 && !found.includes(''),
      );
    },
    /** The attribute, as soon as it is that; else what it is in the end. */
    async attributeBecomes(target: Target, name: string, wanted: string): Promise<string | null> {
      const element = await one(target);
      return later(
        () => element.getAttribute(name),
        (found) => found === wanted,
      );
    },
    /** The numbers of a grid, to the last digit, row after row, without the ring of the padding. */
    async numbers(grid: Target): Promise<readonly number[]> {
      return numbersIn(await one(grid));
    },
    /** The numbers as soon as they are those (the first of them, if not all are named); else what they are in the end. */
    async numbersBecome(grid: Target, wanted: readonly number[], whole: boolean): Promise<readonly number[]> {
      return later(
        () => numbersIn(all(grid)[0]).slice(0, whole ? undefined : wanted.length),
        (found) => found.length === wanted.length && found.every((value, i) => value === wanted[i]),
      );
    },
    /** Chooses a radio button, without a pointer. */
    async choose(target: Target): Promise<void> {
      const radio = (await one(target)) as HTMLInputElement;
      if (!radio.checked) radio.click();
    },
    /** A platform's own list cannot be operated from outside in every engine. */
    async select(target: Target, label: string): Promise<void> {
      const list = (await one(target)) as HTMLSelectElement;
      const option = [...list.options].find((each) => each.label === label);
      if (!option) throw new Error(`${JSON.stringify(target)} has no ${label}`);
      list.value = option.value;
      list.dispatchEvent(new Event('change', { bubbles: true }));
    },
    /** Drops a file on the page. */
    drop(name: string, type: string, bytes: readonly number[]): void {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
      for (const kind of ['dragover', 'drop']) {
        const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer });
        document.body.dispatchEvent(event);
      }
    },
    /** The address, as soon as its fragment matches all these patterns; else what it is in the end. */
    address(patterns: readonly string[]): Promise<string> {
      return later(
        () => location.href,
        () => patterns.every((pattern) => new RegExp(pattern).test(location.hash)),
      );
    },
    /** How far the page is wider than its window. */
    overflow(): number {
      return document.documentElement.scrollWidth - document.documentElement.clientWidth;
    },
    /** What went wrong behind the scenes, and what was asked of other servers. */
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
 * To stand first in the page: keeps what goes wrong for `troubles`, since not every driver tells. That a file could not be
 * had before it was needed (`modulepreload`) is none: Firefox says so of files that it has.
 */
export const RECORDER = `<script>
  window.troubles = [];
  addEventListener('error', ({ message, target }) => {
    if (target.rel !== 'modulepreload') troubles.push('uncaught: ' + (message ?? target.outerHTML));
  }, true);
  addEventListener('unhandledrejection', (event) => troubles.push('rejected: ' + event.reason));
  const tell = console.error;
  console.error = (...said) => { troubles.push('console: ' + said.join(' ')); tell(...said); };
</script>`;
