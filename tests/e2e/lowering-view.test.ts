import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NOTEBOOK_4, openPage, useStage } from './support/browser';
import { cellAt, grid, readExact, readMatrix, readNumbers } from './support/grids';
import { openMode } from './support/modes';
import { imagePlane, linkTo, type NotebookCase, planeName, TESTED_CASES } from './support/notebook';

const stage = useStage();

async function walk(hash: string, dx: string, steps: (page: Page, view: Locator) => Promise<void>): Promise<void> {
  const { page, troubles } = await openPage(stage, {}, hash);
  await grid(page, dx).waitFor();
  await steps(page, await openMode(page, 'im2col'));
  await page.context().close();
  expect(troubles).toEqual([]);
}

const part = (view: Locator, name: string) => view.getByRole('radio', { name, exact: true }).check();

const inRows = (values: readonly number[], cols: number): number[][] =>
  Array.from({ length: values.length / cols }, (_, row) => values.slice(row * cols, (row + 1) * cols));

/** The read part of a row is the start of each correct row. */
function expectRows(found: readonly number[][], right: readonly number[][]): void {
  expect(found).toEqual(right.map((row, i) => row.slice(0, found[i]?.length)));
}

/** x_col of x = 0, 1, 2, ...: the expected x_col by definition; null: padding. */
function unrolled({ x_shape, w_shape, y_shape, stride, padding }: NotebookCase): (number | null)[] {
  const [n, h, w, c] = x_shape;
  const [kh, kw] = w_shape;
  const entries: (number | null)[] = [];
  for (let i = 0; i < n * y_shape[1] * y_shape[2]; i += 1) {
    const [image, row, col] = [
      Math.floor(i / (y_shape[1] * y_shape[2])),
      Math.floor(i / y_shape[2]) % y_shape[1],
      i % y_shape[2],
    ];
    for (let t = 0; t < kh * kw * c; t += 1) {
      const y = row * stride[0] - padding[0] + Math.floor(t / (kw * c));
      const x = col * stride[1] - padding[2] + (Math.floor(t / c) % kw);
      const inside = y >= 0 && y < h && x >= 0 && x < w;
      entries.push(inside ? ((image * h + y) * w + x) * c + (t % c) : null);
    }
  }
  return entries;
}

describe.each(TESTED_CASES.map((one) => [one.name, one] as const))('case %s', (_, one) => {
  const k = one.w_shape[3];

  it('shows the values of the notebook in the products and in dx', async () => {
    await walk(linkTo(one), planeName('dx', one), async (page, view) => {
      if (one.x_shape[0] === 1) {
        const expected = unrolled(one).filter((value) => value !== null);
        await expect.poll(() => readExact(page, 'x_col')).toEqual(expected);
      }
      await part(view, '2 Three products');
      // The bias is added after the product.
      const products = one.y.map((value, i) => value - (one.b?.[i % k] ?? 0));
      expectRows(await readMatrix(page, 'y_col'), inRows(products, k));
      await part(view, 'dw_col = x_colᵀ · dy_col');
      expectRows(await readMatrix(page, 'dw_col'), inRows(one.dw, k));
      await part(view, '3 col2im');
      const last = one.x_shape[0] - 1;
      const name = planeName('dx', one, { n: last });
      await expect.poll(() => readExact(page, name)).toEqual(imagePlane(one.dx, one.x_shape, last, 0));
      // A difference from the reference would be shown.
      expect(await view.locator('.badge').count()).toBe(0);
    });
  });
});

describe('im2col of notebook case 4', () => {
  it('links the hovered cell to the other grid and to the text', async () => {
    await walk(NOTEBOOK_4, 'dx', async (page, view) => {
      await cellAt(page, 'x', 2, 2).hover();
      await view.getByText('x[1,1] is in x_col 4 times').waitFor();
      await cellAt(page, 'x_col', 5, 4).hover();
      await view.getByText('Row 5 of x_col is the window of y[1,1]').waitFor();
      const explain = page.getByRole('complementary', { name: 'Explain' });
      await explain.getByRole('heading', { name: 'x_col[5,4] = 16' }).waitFor();
      await part(view, 'weight');
      await cellAt(page, 'x_col', 5, 4).hover();
      await view.getByText('every pixel that w[1,1] multiplies').waitFor();
      await part(view, '3 col2im');
      await cellAt(page, 'dx_col', 5, 0).hover();
      await explain.getByRole('heading', { name: 'dx_col[5,0] = 12' }).waitFor();
    });
  });

  it('transposes and reorders the columns without changing values', async () => {
    await walk(`#h=4&w=4&kh=2&kw=2&c=2&stride=2&padding=0&x=ramp`, 'dx[n=0, c=0]', async (page, view) => {
      // Channels last: the first window has 0, 1 of the first pixel, then 2, 3, then those of the next row.
      await expect.poll(async () => (await readNumbers(page, 'x_col')).slice(0, 8)).toEqual([0, 1, 2, 3, 8, 9, 10, 11]);
      await part(view, 'c, kh, kw');
      await expect.poll(async () => (await readNumbers(page, 'x_col')).slice(0, 8)).toEqual([0, 2, 8, 10, 1, 3, 9, 11]);
      await view.getByRole('checkbox', { name: 'transpose' }).check();
      await expect.poll(async () => (await readNumbers(page, 'x_col transposed')).slice(0, 4)).toEqual([0, 4, 16, 20]);
    });
  });

  it('shows that only the sum is the gradient', async () => {
    await walk(NOTEBOOK_4, 'dx', async (page, view) => {
      await part(view, '3 col2im');
      await view.getByText('the loss has the slope 32').waitFor();
      await view.getByText('Only the sum matches the slope').waitFor();
      expect(await view.getByRole('row').allTextContents()).toEqual(
        expect.arrayContaining(['add32', 'average8', 'overwrite12']),
      );
      await part(view, 'average');
      await view.getByText(/cells differ from the sum/).waitFor();
      expect((await readNumbers(page, 'dx')).every((value) => value <= 12)).toBe(true);
      // Another cell: with one copy all variants agree.
      await cellAt(page, 'dx', 0, 0).click();
      await view.getByText('One copy: there is nothing to add').waitFor();
    });
  });

  /** Plays back the first row after a pause: a quick second step has no animation. */
  async function addOneRow(page: Page): Promise<void> {
    const view = await openMode(page, 'im2col');
    await part(view, '3 col2im');
    const slider = view.getByRole('slider', { name: 'rows of dx_col added to dx' });
    await slider.press('Home');
    await expect.poll(async () => new Set(await readNumbers(page, 'dx'))).toEqual(new Set([0]));
    const emptied = await page.evaluate(() => performance.now());
    await page.waitForFunction((since) => performance.now() - since > 600, emptied);
    await slider.press('ArrowRight');
  }

  it('col2im adds a row with an animation of its copies', async () => {
    const { page, troubles } = await openPage(stage);
    await grid(page, 'dx').waitFor();
    await addOneRow(page);
    await page.locator('.flight').waitFor({ state: 'attached' });
    await page.locator('.flight').waitFor({ state: 'detached' });
    await expect.poll(async () => (await readNumbers(page, 'dx')).slice(0, 3)).toEqual([8, 7, 0]);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('col2im adds a row without an animation if motion is reduced', async () => {
    const { page, troubles } = await openPage(stage, { reducedMotion: 'reduce' });
    await grid(page, 'dx').waitFor();
    await addOneRow(page);
    await expect.poll(async () => (await readNumbers(page, 'dx')).slice(0, 3)).toEqual([8, 7, 0]);
    expect(await page.locator('.flight').count()).toBe(0);
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

it('labels of columns do not overlap', async () => {
  await walk('#h=6&c=2&k=2&kh=3', 'dx[n=0, c=0]', async (_, view) => {
    const labels = await view.locator('.axis-labels__cols span').evaluateAll((spans) =>
      spans.flatMap((span) => {
        const range = document.createRange();
        range.selectNodeContents(span);
        const { left, right } = range.getBoundingClientRect();
        return span.textContent ? [{ text: span.textContent, left, right }] : [];
      }),
    );
    expect(labels[0]?.text).toBe('0,0,0');
    expect(labels.length).toBeGreaterThan(4);
    expect(labels.filter(({ left }, i) => left < (labels[i - 1]?.right ?? 0))).toEqual([]);
  });
});

it('navigates the 50,176 rows of a photo by keyboard and by the overview', async () => {
  const photo = '#h=224&w=224&c=3&k=2&kh=3&kw=3&stride=1&padding=1&x=sample:landscape&weights=random:2';
  await walk(photo, 'dx[n=0, c=0]', async (page, view) => {
    const matrix = grid(page, 'x_col');
    await matrix.waitFor();
    expect([await matrix.getAttribute('aria-rowcount'), await matrix.getAttribute('aria-colcount')]).toEqual([
      '50176',
      '27',
    ]);
    await view.getByText('1,354,752 values').waitFor();
    const cell = matrix.getByRole('gridcell');
    await cell.focus();
    await page.keyboard.press('Control+End');
    await view.getByText('Row 50175 of x_col is the window of y[223,223,0]').waitFor();
    await cell.focus();
    const seen = () =>
      view.locator('.overview__seen').evaluate((element) => Number.parseFloat((element as HTMLElement).style.top));
    const before = await seen();
    await view.locator('.overview canvas').click({ position: { x: 10, y: 200 } });
    await expect.poll(seen).toBeLessThan(before - 100);
    // The focused cell is out of view: moving the focus back scrolls the map just enough.
    await cell.focus();
    await expect.poll(seen).toBe(before);
    expect(await matrix.evaluate(bottomSeen)).toBe(true);
  });
});

/** Whether the focused cell is the last of the grid's height, and on the screen. */
function bottomSeen(element: Element): boolean {
  const [all, cell] = [element.getBoundingClientRect(), element.querySelector(':focus')?.getBoundingClientRect()];
  return cell !== undefined && Math.abs(cell.bottom - all.bottom) < 1 && cell.top > 0 && cell.bottom < innerHeight;
}
