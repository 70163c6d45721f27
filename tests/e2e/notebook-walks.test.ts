import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { grid, readExact, readMatrix } from './support/grids';
import { openMode } from './support/modes';
import { imagePlane, kernelPlane, linkTo, type NotebookCase, planeName, TESTED_CASES } from './support/notebook';

// One test per view and notebook case. The expected values come from an independent implementation.

const stage = useStage();

async function walk(
  one: NotebookCase,
  tab: string,
  steps: (page: Page, view: Locator) => Promise<void>,
): Promise<void> {
  // High enough for the values of all 27 weights of a filter.
  const { page, troubles } = await openPage(stage, { viewport: { width: 1440, height: 1000 } }, linkTo(one));
  await grid(page, planeName('dx', one)).waitFor();
  await steps(page, await openMode(page, tab));
  await page.context().close();
  expect(troubles).toEqual([]);
}

const choose = (view: Locator, name: string) => view.getByRole('radio', { name, exact: true }).check();
const toEnd = (view: Locator, process: string) =>
  view.getByRole('slider', { name: `steps of ${process}` }).press('End');
const shows = (page: Page, name: string, expected: readonly number[]) =>
  expect.poll(() => readExact(page, name), { message: name }).toEqual(expected);

/** The notebook's values of the planes in focus: channel 0, filter 0, and the last image. */
function planes(one: NotebookCase, n: number) {
  const w = kernelPlane(one.dw, one.w_shape, 0, 0);
  return { y: imagePlane(one.y, one.y_shape, n, 0), dx: imagePlane(one.dx, one.x_shape, n, 0), dw: w, db: one.db };
}

describe.each(TESTED_CASES.map((one) => [one.name, one] as const))('case %s', (_, one) => {
  const last = one.x_shape[0] - 1;
  const ends = planes(one, last);

  it.each([
    ['dx', 'scatter', 'dx by scatter', 'dx'],
    ['dx', 'gather', 'dx by gather', 'dx'],
    ['dw & db', 'window by window', 'dw adds up', 'dw'],
    ['dw & db', 'db', 'db adds up', 'db'],
  ] as const)('in %s, %s goes from 0 to the gradient', async (tab, choice, process, result) => {
    await walk(one, tab, async (page, view) => {
      await choose(view, choice);
      const name = (n: number) => planeName(result, one, { n });
      await view.getByRole('slider', { name: `steps of ${process}` }).press('Home');
      await shows(
        page,
        name(0),
        ends[result].map(() => 0),
      );
      await toEnd(view, process);
      await shows(page, name(last), ends[result]);
    });
  });

  it('matches in col2im, in which rows add up', async () => {
    await walk(one, 'im2col', async (page, view) => {
      await choose(view, '3 col2im');
      const slider = view.getByRole('slider', { name: 'rows of dx_col added to dx' });
      await slider.press('Home');
      await shows(
        page,
        planeName('dx', one, { n: 0 }),
        ends.dx.map(() => 0),
      );
      await slider.press('End');
      await shows(page, planeName('dx', one, { n: last }), ends.dx);
    });
  });

  it('matches in the full convolution and the phase split of dx', async () => {
    await walk(one, 'dx', async (page, view) => {
      await choose(view, 'full convolution');
      await shows(page, planeName('dx', one, { n: last }), ends.dx);
      await choose(view, 'phase split');
      await shows(page, planeName('dx', one), planes(one, 0).dx);
    });
  });

  it('matches in three algorithms for dw', async () => {
    await walk(one, 'dw & db', async (page, view) => {
      await choose(view, 'matrix product');
      // dw_col has the weights of a group in HWIO order.
      await expect.poll(async () => (await readMatrix(page, 'dw_col')).flat()).toEqual(one.dw);
      await choose(view, 'x convolved with dy');
      await shows(page, 'dw_uncropped', ends.dw);
      await choose(view, 'grouped');
      await grid(page, 'dw of image 0').waitFor();
      const images: number[][] = [];
      for (let n = 0; n <= last; n += 1) {
        images.push(await readExact(page, `dw of image ${n}`));
      }
      expect(ends.dw.map((_value, i) => images.reduce((sum, image) => sum + (image[i] ?? Number.NaN), 0))).toEqual(
        ends.dw,
      );
    });
  });

  it('matches in the gradient check', async () => {
    await walk(one, 'Gradient check', async (_page, view) => {
      const gradients = { dx: one.dx, dw: one.dw, db: one.db };
      for (const [name, values] of Object.entries(gradients)) {
        await choose(view, name);
        const row = view.getByRole('row', { name: new RegExp(`^backward pass, ${name}\\[0`) });
        await row.waitFor();
        const [float32, float64] = await row.getByRole('cell').allTextContents();
        expect([Number(float32), Number(float64)]).toEqual([values[0], values[0]]);
      }
    });
  });
});
