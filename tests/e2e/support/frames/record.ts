import type { Page } from 'playwright-core';

/** The content of one frame: all values of the stage, of Explain, and of the measurements, as text. */
export interface FrameContent {
  readonly grids: readonly GridContent[];
  /** "y[0,1] = 246"; null if no cell is explained. */
  readonly title: string | null;
  /** Rows of its totals: name, value. */
  readonly totals: readonly (readonly [string, string])[];
  /** Names of the factors, their values, their product. */
  readonly terms: readonly (readonly [string, string, string])[];
  /** "L = 273629: squared error to the target 0; ..." */
  readonly loss: string;
  /** Rows of the gradient check: name, and both precisions. */
  readonly check: readonly (readonly string[])[];
  /** "gather", "max error: 0". */
  readonly badge: readonly string[];
  /** Colored maps: name, the value at the cursor, and blue minus red in the middle. */
  readonly maps: readonly (readonly [string, number, number])[];
  /** In the view Network: what it says of the pointed cell, and of the loss; whether tensors are covered that a step computes later. */
  readonly network: { readonly about: string; readonly loss: string; readonly covered: boolean };
}

export interface GridContent {
  readonly label: string;
  readonly subtitle: string;
  /** Row and column from the first cell with data, and the value. */
  readonly cells: readonly (readonly [number, number, number])[];
}

export interface Recording {
  readonly frames: number;
  /** Each distinct content, and its number of consecutive frames. */
  readonly seen: readonly { readonly seen: FrameContent; readonly frames: number }[];
}

interface RecordingWindow {
  recorded: { text: string; frames: number }[];
}

/** Records every animation frame of the page from now on. */
export async function recordFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const text = (root: ParentNode, selector: string) => root.querySelector(selector)?.textContent ?? '';
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
    const look = (): FrameContent => ({
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
      badge: all('.badge > *').map((part) => part.textContent ?? ''),
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
      // The last note is that of dy at the end.
      network: {
        about: text(document, '.net-about strong'),
        loss: all('.net .panel__note').at(-1)?.textContent ?? '',
        covered: all('.net .mark--pending').length > 0,
      },
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

/** The contents since the last call. */
export async function takeFrames(page: Page): Promise<Recording> {
  const taken = await page.evaluate(() => (window as unknown as RecordingWindow).recorded.splice(0));
  const seen = taken.map(({ text, frames }) => ({ seen: JSON.parse(text) as FrameContent, frames }));
  return { seen, frames: seen.reduce((sum, { frames }) => sum + frames, 0) };
}
