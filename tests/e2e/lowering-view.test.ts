import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeStage, NOTEBOOK_4, openPage, openStage, type Stage } from './support/browser';
import { cellAt, grid, readExact, readNumbers } from './support/grids';
import { openMode } from './support/modes';
import { imagePlane, linkTo, type NotebookCase, planeName, WALKED } from './support/notebook';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => closeStage(stage));

async function walk(hash: string, dx: string, steps: (page: Page, view: Locator) => Promise<void>): Promise<void> {
  const { page, troubles } = await openPage(stage, {}, hash);
  await grid(page, dx).waitFor();
  await steps(page, await openMode(page, 'Lowering'));
  await page.context().close();
  expect(troubles).toEqual([]);
}

const part = (view: Locator, name: string) => view.getByRole('radio', { name, exact: true }).check();

/** A matrix in rows: a grid of figures has them all, a map is walked down its first column by keyboard. */
async function readMatrix(page: Page, name: string, cols: number): Promise<number[][]> {
  const matrix = grid(page, name);
  await matrix.waitFor();
  const cell = matrix.getByRole('gridcell');
  if ((await cell.count()) > 1) return inRows(await readExact(page, name), cols);
  const rows = Number(await matrix.getAttribute('aria-rowcount'));
  await cell.focus();
  await page.keyboard.press('Control+Home');
  const column: number[][] = [];
  for (let row = 0; row < rows; row += 1) {
    column.push([Number(await cell.getAttribute('data-value'))]);
    await page.keyboard.press('ArrowDown');
  }
  return column;
}

const inRows = (values: readonly number[], cols: number): number[][] =>
  Array.from({ length: values.length / cols }, (_, row) => values.slice(row * cols, (row + 1) * cols));

/** What was read of a row is the beginning of the right one. */
function expectRows(found: readonly number[][], right: readonly number[][]): void {
  expect(found).toEqual(right.map((row, i) => row.slice(0, found[i]?.length)));
}

/** x is 0, 1, 2, ...: what stands where in x_col follows from the definition. */
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

describe.each(WALKED.map((one) => [one.name, one] as const))('case %s', (_, one) => {
  const k = one.w_shape[3];

  it('has the notebook’s numbers in the products and in dx', async () => {
    await walk(linkTo(one), planeName('dx', one), async (page, view) => {
      if (one.x_shape[0] === 1) {
        const expected = unrolled(one).filter((value) => value !== null);
        await expect.poll(() => readExact(page, 'x_col')).toEqual(expected);
      }
      await part(view, '2 Three products');
      // The bias is added after the product.
      const products = one.y.map((value, i) => value - (one.b?.[i % k] ?? 0));
      expectRows(await readMatrix(page, 'y_col', k), inRows(products, k));
      await part(view, 'dw_col = x_colᵀ · dy_col');
      expectRows(await readMatrix(page, 'dw_col', k), inRows(one.dw, k));
      await part(view, '3 Fold back');
      const last = one.x_shape[0] - 1;
      const name = planeName('dx', one, { n: last });
      await expect.poll(() => readExact(page, name)).toEqual(imagePlane(one.dx, one.x_shape, last, 0));
      await view.getByText('max |difference| to the reference: 0').waitFor();
    });
  });
});

describe('the lowering of case 4 of the notebook', () => {
  it('answers a pointer in either grid in the other one and in words', async () => {
    await walk(NOTEBOOK_4, 'dx', async (page, view) => {
      await cellAt(page, 'x', 2, 2).hover();
      await view.getByText('x[1,1] stands in x_col 4 times').waitFor();
      await cellAt(page, 'x_col', 5, 4).hover();
      await view.getByText('Row 5 of x_col is the window that makes y[1,1]').waitFor();
      const explain = page.getByRole('complementary', { name: 'Explain' });
      await explain.getByRole('heading', { name: 'x_col[5,4] = 16' }).waitFor();
      await part(view, 'its tap');
      await cellAt(page, 'x_col', 5, 4).hover();
      await view.getByText('every pixel that w[1,1] meets').waitFor();
      await part(view, '3 Fold back');
      await cellAt(page, 'dx_col', 5, 0).hover();
      await explain.getByRole('heading', { name: 'dx_col[5,0] = 12' }).waitFor();
    });
  });

  it('turns on its side and takes the taps in another order, with the same numbers', async () => {
    await walk(`#h=4&w=4&kh=2&kw=2&c=2&stride=2&padding=0&x=ramp`, 'dx[n=0, c=0]', async (page, view) => {
      // Channels last: the first window has pixels 0, 1 of the first cell, then 2, 3, then those of the next line.
      await expect.poll(async () => (await readNumbers(page, 'x_col')).slice(0, 8)).toEqual([0, 1, 2, 3, 8, 9, 10, 11]);
      await part(view, 'c, kh, kw');
      await expect.poll(async () => (await readNumbers(page, 'x_col')).slice(0, 8)).toEqual([0, 2, 8, 10, 1, 3, 9, 11]);
      await view.getByRole('checkbox', { name: 'on its side (transposed)' }).check();
      await expect.poll(async () => (await readNumbers(page, 'x_col transposed')).slice(0, 4)).toEqual([0, 4, 16, 20]);
    });
  });

  it('shows that only the sum is the gradient', async () => {
    await walk(NOTEBOOK_4, 'dx', async (page, view) => {
      await part(view, '3 Fold back');
      await view.getByText('changes with a slope of 32').waitFor();
      await view.getByText('Only the sum is that slope').waitFor();
      expect(await view.getByRole('row').allTextContents()).toEqual(
        expect.arrayContaining(['add32', 'average8', 'overwrite12']),
      );
      await part(view, 'average');
      await view.getByText(/cells differ from the sum/).waitFor();
      expect((await readNumbers(page, 'dx')).every((value) => value <= 12)).toBe(true);
      // Another cell: with one copy all ways are the same.
      await cellAt(page, 'dx', 0, 0).click();
      await view.getByText('With one copy there is nothing to add').waitFor();
    });
  });

  /** Folds the first row back as somebody does who steps at leisure: a step that follows the last one at once never flies. */
  async function foldOneRow(page: Page): Promise<void> {
    const view = await openMode(page, 'Lowering');
    await part(view, '3 Fold back');
    const slider = view.getByRole('slider', { name: 'rows folded back' });
    await slider.press('Home');
    await expect.poll(async () => new Set(await readNumbers(page, 'dx'))).toEqual(new Set([0]));
    const emptied = await page.evaluate(() => performance.now());
    await page.waitForFunction((since) => performance.now() - since > 600, emptied);
    await slider.press('ArrowRight');
  }

  it('folds back row by row, the copies flying home', async () => {
    const { page, troubles } = await openPage(stage);
    await grid(page, 'dx').waitFor();
    await foldOneRow(page);
    await page.locator('.flight').waitFor({ state: 'attached' });
    await page.locator('.flight').waitFor({ state: 'detached' });
    await expect.poll(async () => (await readNumbers(page, 'dx')).slice(0, 3)).toEqual([8, 7, 0]);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('folds back row by row, and nothing flies where motion is not wanted', async () => {
    const { page, troubles } = await openPage(stage, { reducedMotion: 'reduce' });
    await grid(page, 'dx').waitFor();
    await foldOneRow(page);
    await expect.poll(async () => (await readNumbers(page, 'dx')).slice(0, 3)).toEqual([8, 7, 0]);
    expect(await page.locator('.flight').count()).toBe(0);
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

it('shows the matrix of a photo: 50,176 rows that keep their names, reached by key and by the overview', async () => {
  const photo = '#h=224&w=224&c=3&k=2&kh=3&kw=3&stride=1&padding=1&x=sample:landscape&weights=random:2';
  await walk(photo, 'dx[n=0, c=0]', async (page, view) => {
    const matrix = grid(page, 'x_col');
    await matrix.waitFor();
    expect([await matrix.getAttribute('aria-rowcount'), await matrix.getAttribute('aria-colcount')]).toEqual([
      '50176',
      '27',
    ]);
    await view.getByText('1,354,752 numbers').waitFor();
    const cell = matrix.getByRole('gridcell');
    await cell.focus();
    await page.keyboard.press('Control+End');
    await view.getByText('Row 50175 of x_col is the window that makes y[223,223,0]').waitFor();
    await cell.focus();
    const seen = () =>
      view.locator('.overview__seen').evaluate((element) => Number.parseFloat((element as HTMLElement).style.top));
    const before = await seen();
    await view.locator('.overview canvas').click({ position: { x: 10, y: 200 } });
    await expect.poll(seen).toBeLessThan(before - 100);
    // The cell that the keyboard is at is out of sight now: coming back to it moves the map, and no further than to it.
    await cell.focus();
    await expect.poll(seen).toBe(before);
    expect(await matrix.evaluate(bottomSeen)).toBe(true);
  });
});

/** A grid and the cell with the focus, the last of it: both end at the same place, which is on the screen. */
function bottomSeen(element: Element): boolean {
  const [all, cell] = [element.getBoundingClientRect(), element.querySelector(':focus')?.getBoundingClientRect()];
  return cell !== undefined && Math.abs(cell.bottom - all.bottom) < 1 && cell.top > 0 && cell.bottom < innerHeight;
}
