import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { cellAt, computed, grid } from './support/grids';
import { openMode } from './support/modes';

// A hidden value is not in any element, attribute, accessible text, drawing or address, nor in a message of the worker.
// The same search finds a value that is not hidden.

const stage = useStage();

interface Watched {
  /** Values in messages of the worker, and texts drawn on canvases, since the page was opened. */
  readonly received: Set<number>;
  readonly drawn: Set<string>;
}

/** Records every value of a worker message, and every text drawn on a canvas. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = { received: new Set<number>(), drawn: new Set<string>() };
    Object.assign(window, { watched });
    const note = (value: unknown): void => {
      if (typeof value === 'number') watched.received.add(Math.abs(value));
      else if (ArrayBuffer.isView(value))
        for (const each of value as Float32Array) watched.received.add(Math.abs(each));
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(note);
    };
    const { Worker } = window;
    window.Worker = class extends Worker {
      constructor(...parts: ConstructorParameters<typeof Worker>) {
        super(...parts);
        this.addEventListener('message', ({ data }) => note(data));
      }
    };
    for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
      const { fillText } = prototype;
      prototype.fillText = function (this: typeof prototype, text: string, ...rest: [number, number]) {
        watched.drawn.add(text);
        return fillText.call(this, text, ...rest);
      };
    }
  });
}

/** The accessible text of a node, without the ids of nodes. */
const spoken = (key: string, value: unknown): unknown => (/Id(s)?$|relatedNodes/.test(key) ? undefined : value);

/** Where a value was found. */
async function placesOf(page: Page, value: number): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const texts = await page.evaluate(() => ({
    elements: document.documentElement.outerHTML,
    typed: [...document.querySelectorAll('input')].map((input) => input.value).join(' '),
    address: location.href,
    drawn: [...(window as unknown as { watched: Watched }).watched.drawn].join(' '),
  }));
  const received = await page.evaluate(
    (wanted) => (window as unknown as { watched: Watched }).watched.received.has(Math.abs(wanted)),
    value,
  );
  const grouped = value.toLocaleString('en').replace('-', '\u2212');
  const text = new RegExp(`(?<![\\d.])(${value}|${grouped.replace('.', '\\.')})(?![\\d])`.replaceAll('-', '[-\u2212]'));
  const places = Object.entries({ ...texts, accessibility: JSON.stringify(nodes, spoken) })
    .filter(([, all]) => text.test(all))
    .map(([name]) => name);
  return received ? [...places, 'messages'] : places;
}

/** Opens a link in an open page. */
async function follow(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

const PROBLEM = 'h=5&kh=3&x=ramp&weights=countdown:37&dy=random:5';
/** Rows of x are 0 to 4, 5 to 9, ...; w counts down from 37. */
const x = (row: number, col: number) => 5 * row + col;
const w = (row: number, col: number) => 37 - 3 * row - col;
const y = (row: number, col: number) => {
  let sum = 0;
  for (let p = 0; p < 3; p += 1) for (let q = 0; q < 3; q += 1) sum += x(row + p, col + q) * w(p, q);
  return sum;
};

/** Every mode, with as much of y as it shows. */
const LOOKS = [
  'mode=board',
  'mode=board&board.t=4',
  'mode=dw&dw.way=direct&dw.accumulated=4',
  'mode=dx',
  'mode=dw',
  'mode=lowering&lowering.part=unroll',
  'mode=lowering&lowering.part=products',
  'mode=matrix',
  'mode=matrix&matrix.form=transposed',
  'mode=matrix',
  'mode=learn',
  'board.paint=true&board.target=true&board.overlay=true',
  'mode=gradient-check',
  'mode=geometry',
  'mode=board&side=algorithms',
  'mode=board&side=code',
  'mode=board&board.t=5&side=code',
] as const;

it('does not contain a hidden cell of y in any mode, when hovered, explained, or with a hint', async () => {
  const value = y(1, 1);
  const open = async (hidden: string) => {
    const opened = await openPage(stage, {}, '#');
    await watch(opened.page);
    await opened.page.goto(`${stage.site.url}#${PROBLEM}${hidden}&cell=y.4`);
    await opened.page.reload();
    await grid(opened.page, 'y').waitFor();
    return opened;
  };
  // The search finds a value that is not hidden.
  const plain = await open('');
  await plain.page.locator('.explain__title').waitFor();
  expect(await placesOf(plain.page, value)).toEqual(['elements', 'accessibility', 'messages']);
  await plain.page.context().close();

  const { page, troubles } = await open('&hidden=y.4');
  for (const look of LOOKS) {
    await follow(page, `${PROBLEM}&hidden=y.4&cell=y.4&${look}`);
    await page.getByRole('main').locator('.panel, table, .notice').first().waitFor();
    await computed(page);
    for (const name of ['y', 'y_col']) {
      const drawn = grid(page, name);
      if ((await drawn.count()) > 0) await drawn.getByRole('gridcell').nth(4).hover();
    }
    expect(await placesOf(page, value), look).toEqual([]);
  }
  await follow(page, `${PROBLEM}&hidden=y.4&cell=y.4`);
  expect(await cellAt(page, 'y', 1, 1).textContent()).toBe('?');
  await page.getByRole('button', { name: 'Hint: the cells' }).click();
  await page.getByRole('button', { name: 'Hint: the products' }).click();
  await page.locator('.terms').waitFor();
  expect(await page.locator('.term').count()).toBe(9);
  expect(await placesOf(page, value)).toEqual([]);
  // Played to the end, it shows the same question mark.
  await page.getByRole('button', { name: 'Reveal y[1,1]' }).click();
  await expect.poll(() => cellAt(page, 'y', 1, 1).textContent()).toBe(String(value));
  expect(await placesOf(page, value)).toEqual(['elements', 'accessibility', 'messages']);
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('checks a typed value: a wrong one with its mistake and the lesson about it, a correct one with its value', async () => {
  // All of dx is hidden; w counts down from 9 and dy is 1 everywhere, so each cell of dx is a sum of weights.
  const { page, troubles } = await openPage(
    stage,
    {},
    '#h=5&kh=3&padding=1&x=ramp&weights=countdown:9&hidden=dx&cell=dx.12',
  );
  const box = page.getByRole('textbox', { name: 'dx[2,2] =' });
  const verdict = page.locator('.predict__verdict');
  // The typed value stays while another cell is selected.
  await box.fill('44');
  await cellAt(page, 'x', 2, 2).hover();
  await box.waitFor({ state: 'hidden' });
  await page.mouse.move(2, 2);
  expect(await box.inputValue()).toBe('44');
  await page.getByRole('button', { name: 'Check' }).click();
  await expect.poll(() => verdict.textContent()).toContain('does not recognize the mistake');
  await box.fill('seven');
  await box.press('Enter');
  await page.getByText('“seven” is not a number').waitFor();
  await box.fill('45');
  await box.press('Enter');
  await expect.poll(() => verdict.textContent()).toContain('45 is correct');
  expect(await cellAt(page, 'dx', 2, 2).textContent()).toBe('45');
  // The address follows the page after a moment.
  await expect.poll(() => page.url()).not.toContain('hidden=dx&');
  // In the grid, by keyboard: the corner has the terms 5 4 / 2 1, not 9 8 / 6 5.
  await cellAt(page, 'dx', 0, 0).focus();
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await expect.poll(() => verdict.textContent()).toContain('Weight of the opposite corner.');
  expect(await cellAt(page, 'dx', 0, 0).textContent()).toBe('?');
  await page.getByRole('button', { name: /See the lesson/ }).click();
  await page.locator('.lesson__title').waitFor();
  await page.getByRole('button', { name: 'Leave lesson' }).click();
  await expect.poll(() => cellAt(page, 'dx', 0, 0).textContent()).toBe('?');
  await cellAt(page, 'dx', 0, 0).focus();
  await page.keyboard.type('28');
  await page.keyboard.press('Enter');
  await expect.poll(() => cellAt(page, 'dx', 0, 0).textContent()).toBe('28');
  // Buttons hide and reveal a whole row; its cells keep their positions when the sizes change.
  await page.getByRole('tab', { name: 'Explain' }).click();
  await cellAt(page, 'dx', 0, 1).click();
  await page.getByRole('button', { name: 'Reveal all of dx' }).click();
  await expect.poll(() => grid(page, 'dx').textContent()).not.toContain('?');
  await cellAt(page, 'y', 1, 1).click();
  await page.getByRole('button', { name: 'Hide y[1,1]' }).click();
  await expect.poll(() => cellAt(page, 'y', 1, 1).textContent()).toBe('?');
  await page.getByRole('spinbutton', { name: 'width', exact: true }).fill('6');
  await page.getByRole('spinbutton', { name: 'width', exact: true }).press('Enter');
  await expect.poll(() => grid(page, 'y').getByRole('gridcell').count()).toBe(30);
  const questions = await grid(page, 'y').getByRole('gridcell').allTextContents();
  expect(questions.map((text, i) => (text === '?' ? i : -1)).filter((i) => i >= 0)).toEqual([6 + 1]);
  // Inputs can be predicted, too.
  await follow(page, 'h=5&kh=3&x=ramp&weights=countdown:9&hidden=x.12&cell=x.12');
  await page.getByRole('textbox', { name: 'x[2,2] =' }).fill('12');
  await page.getByRole('button', { name: 'Check' }).click();
  await expect.poll(() => cellAt(page, 'x', 2, 2).textContent()).toBe('12');
  expect(troubles).toEqual([]);
  await page.context().close();
});

it('draws a hidden cell of a map in the color of hidden cells', async () => {
  const hash = '#h=40&kh=3&padding=1&x=random:4&weights=random:3&mode=board';
  const colors = async (hidden: string) => {
    const { page, troubles } = await openPage(stage, { colorScheme: 'light' }, hash + hidden);
    const map = page.locator('.panel--y .heat__map');
    await map.waitFor();
    await expect.poll(() => map.evaluate((canvas) => (canvas as HTMLCanvasElement).width)).toBeGreaterThan(40);
    const pixel = (row: number, col: number) =>
      map.evaluate(
        (canvas, [r, c]) => {
          const { width, height } = canvas as HTMLCanvasElement;
          const context = (canvas as HTMLCanvasElement).getContext('2d');
          const at = [((c + 0.5) / 40) * width, ((r + 0.5) / 40) * height].map(Math.floor) as [number, number];
          return [...(context?.getImageData(...at, 1, 1).data ?? [])].join(' ');
        },
        [row, col] as const,
      );
    await expect.poll(() => pixel(20, 20)).not.toBe('0 0 0 0');
    const found = await Promise.all([pixel(20, 20), pixel(20, 21), pixel(21, 20)]);
    expect(troubles).toEqual([]);
    await page.context().close();
    return found;
  };
  const [plain, hidden] = await Promise.all([colors(''), colors(`&hidden=y.${20 * 40 + 20},y.${21 * 40 + 20}`)]);
  expect(hidden[0]).toBe('132 142 158 255');
  expect(hidden[2]).toBe('132 142 158 255');
  expect(hidden[1]).toBe(plain[1]);
  expect(plain).not.toContain('132 142 158 255');
});

it('reports a view that needs all values, and offers to reveal them or to open another view', async () => {
  const { page, troubles } = await openPage(stage, {}, '#hidden=x_col.3&mode=learn');
  await page.getByText('This needs all values of the problem, and some are hidden.').waitFor();
  expect(await page.getByText('takes too long').count()).toBe(0);
  await page.getByRole('button', { name: 'Open Overview' }).click();
  await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
  await openMode(page, 'Learn');
  await page.getByRole('button', { name: 'Reveal all values' }).click();
  await page.getByText('target', { exact: true }).first().waitFor();
  await page.waitForURL((url) => !url.hash.includes('hidden'));
  await page.context().close();
  expect(troubles).toEqual([]);
});
