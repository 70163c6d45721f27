import type { Page } from 'playwright-core';

/** What is to be read in one frame: all numbers of the stage, of Explain, and of what measures. Texts as they stand. */
export interface Seen {
  readonly grids: readonly SeenGrid[];
  /** "y[0,1] = 246"; null: no cell is explained. */
  readonly title: string | null;
  /** Lines of its totals: what, how much. */
  readonly totals: readonly (readonly [string, string])[];
  /** Names of the factors, their numbers, their product. */
  readonly terms: readonly (readonly [string, string, string])[];
  /** "L = 273629: squared error to the target 0; ..." */
  readonly loss: string;
  /** Rows of the gradient check: what, and both precisions. */
  readonly check: readonly (readonly string[])[];
  /** "algorithm gather", "max |difference| to the reference: 0". */
  readonly badge: readonly string[];
  /** Maps in colours: name, the value at the cursor, and how much blue over red the middle is. */
  readonly maps: readonly (readonly [string, number, number])[];
}

export interface SeenGrid {
  readonly label: string;
  readonly subtitle: string;
  /** Row and column, counted from the first cell with data, and the value. */
  readonly cells: readonly (readonly [number, number, number])[];
}

export interface Recording {
  readonly frames: number;
  /** Each that was seen, and in how many frames in a row. */
  readonly seen: readonly { readonly seen: Seen; readonly frames: number }[];
}

interface RecordingWindow {
  recorded: { text: string; frames: number }[];
}

/** Looks at every animation frame of the page from now on. */
export async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const text = (root: ParentNode, selector: string) => root.querySelector(selector)?.textContent ?? '';
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
    const look = (): Seen => ({
      grids: all('[role=grid]:not(.heat__grid)').map((grid) => ({
        label: grid.getAttribute('aria-label') ?? '',
        subtitle: text(grid.closest('.figure') ?? document, '.figure__subtitle'),
        cells: [...grid.querySelectorAll<HTMLElement>('[role=gridcell]')].map(
          ({ dataset: { row, col, value } }) => [Number(row), Number(col), Number(value)] as const,
        ),
      })),
      title: document.querySelector('.explain__title')?.textContent ?? null,
      totals: all('.explain .totals__row').map((row) => [text(row, 'dt'), text(row, 'dd')] as const),
      terms: all('.explain .term').map(
        (term) => [text(term, '.term__names'), text(term, '.term__numbers'), text(term, '.term__product')] as const,
      ),
      loss: document.querySelector('.loss')?.getAttribute('title') ?? '',
      check: all('.check-table tbody tr').map((row) => [
        row.querySelector('th')?.getAttribute('aria-label') ?? text(row, 'th'),
        ...[...row.querySelectorAll('td')].map((cell) => cell.textContent ?? ''),
      ]),
      badge: all('.badge span').map((part) => part.textContent ?? ''),
      maps: all('.heat').map((box) => {
        const canvas = box.querySelector('canvas');
        const { width = 0, height = 0 } = canvas ?? {};
        const [red = 0, , blue = 0] = canvas?.getContext('2d')?.getImageData(width >> 1, height >> 1, 1, 1).data ?? [];
        const cursor = box.querySelector<HTMLElement>('[role=gridcell]')?.dataset.value;
        return [
          box.querySelector('[role=grid]')?.getAttribute('aria-label') ?? '',
          Number(cursor),
          blue - red,
        ] as const;
      }),
    });
    const recorded: { text: string; frames: number }[] = [];
    Object.assign(window, { recorded });
    const frame = () => {
      requestAnimationFrame(frame);
      const now = JSON.stringify(look());
      const last = recorded.at(-1);
      if (last?.text === now) last.frames += 1;
      else recorded.push({ text: now, frames: 1 });
    };
    requestAnimationFrame(frame);
  });
}

/** What was seen since the last time. */
export async function takeFrames(page: Page): Promise<Recording> {
  const taken = await page.evaluate(() => (window as unknown as RecordingWindow).recorded.splice(0));
  const seen = taken.map(({ text, frames }) => ({ seen: JSON.parse(text) as Seen, frames }));
  return { seen, frames: seen.reduce((sum, { frames }) => sum + frames, 0) };
}
