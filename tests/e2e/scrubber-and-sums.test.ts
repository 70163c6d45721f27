import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenPage, openPage, useStage } from './support/browser';
import { cellAt, grid, readNumbers, typeInto } from './support/grids';
import { openMode } from './support/modes';
import { imagePlane, kernelPlane, linkTo, planeName, TESTED_CASES } from './support/notebook';

const stage = useStage();
let open: OpenPage;

beforeEach(async () => {
  open = await openPage(stage);
  await grid(open.page, 'dx').waitFor();
});
afterEach(async () => {
  const troubles = [...open.troubles];
  await open.page.context().close();
  expect(troubles).toEqual([]);
});

const explained = (page: Page) => page.getByRole('complementary', { name: 'Explain' });
const numberIn = (text: string | null) => Number((text ?? '').trim().replaceAll('\u2212', '-'));

describe('the player', () => {
  it('steps by keys, buttons and dragging, plays, and describes each frame', async () => {
    const { page } = open;
    const view = page.getByRole('main');
    const slider = view.getByRole('slider', { name: 'windows of x' });
    const at = () => slider.getAttribute('aria-valuetext');
    await slider.press('Home');
    await expect.poll(at).toBe('0 of 16');
    for (const [key, reached] of [
      ['ArrowRight', '1 of 16'],
      ['Shift+ArrowRight', '5 of 16'],
      ['ArrowLeft', '4 of 16'],
      ['End', '16 of 16'],
      ['Shift+ArrowLeft', '12 of 16'],
    ] as const) {
      await slider.press(key);
      await expect.poll(at, { message: key }).toBe(reached);
    }
    await slider.fill('6');
    await view.getByText('Step 6 of 16: y[1,1] reads rows 1 to 3, columns 1 to 3 of x.').waitFor();
    // The other ten cells of y are covered: a row and a half of four.
    const cells = await cellAt(page, 'y', 1, 2).boundingBox();
    const covers = page.locator('.panel--y .mark--pending');
    const boxes = await Promise.all((await covers.all()).map((cover) => cover.boundingBox()));
    const size = cells?.width ?? Number.NaN;
    expect(boxes.map((box) => [(box?.width ?? 0) / size, (box?.height ?? 0) / size].map(Math.round))).toEqual([
      [2, 1],
      [4, 2],
    ]);

    await view.getByRole('button', { name: 'Faster' }).click();
    await view.getByText('4 / s').waitFor();
    await slider.press('[');
    await view.getByText('2 / s').waitFor();
    for (let i = 0; i < 5; i += 1) await slider.press(']');
    await slider.press(' ');
    await expect.poll(at).toBe('16 of 16');
    await view.getByRole('button', { name: 'Play' }).waitFor();
  });

  it('stops on a step back while playing', async () => {
    const view = open.page.getByRole('main');
    const slider = view.getByRole('slider');
    await slider.press('Home');
    await view.getByRole('button', { name: 'Play' }).click();
    await view.getByRole('button', { name: 'Pause' }).click();
    await view.getByRole('button', { name: 'Play' }).waitFor();
    await slider.press('Home');
    await view.getByRole('button', { name: 'One step forward' }).click();
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('1 of 16');
  });
});

describe('a cell in another view', () => {
  it('is reached by arrow keys, pinned by Space, unpinned by Esc', async () => {
    const { page } = open;
    await typeInto(page, cellAt(page, 'x', 1, 1), '100');
    await page.keyboard.press('Escape');
    const view = await openMode(page, 'dw & db');
    await view.getByRole('radio', { name: 'x convolved with dy', exact: true }).check();
    const cell = (row: number, col: number) => cellAt(page, 'dw_uncropped', row, col);
    await cell(0, 0).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(await cell(1, 1).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press(' ');
    const release = explained(page).getByRole('button', { name: 'Unpin this cell' });
    await release.waitFor();
    await explained(page).getByRole('heading', { name: 'dw_uncropped[1,1] = 484', exact: true }).waitFor();
    // The heading has no value for the cell after the edit, so it shows none.
    await page.keyboard.press('ControlOrMeta+z');
    await explained(page).getByRole('heading', { name: 'dw_uncropped[1,1]', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await release.waitFor({ state: 'hidden' });
  });

  it('can be edited, and the edit is undone and redone in all views', async () => {
    const { page } = open;
    const before = await readNumbers(page, 'y');
    const first = async () => (await readNumbers(page, 'y'))[0];
    await openMode(page, 'dw & db');
    await page.getByRole('radio', { name: 'window by window' }).check();
    // x[0,0], at [1,1] of the padded grid: read once, with w[1,1] = 8.
    await typeInto(page, cellAt(page, 'x', 1, 1), '100');
    await expect.poll(first).toBe(74 + 8 * 100);
    await openMode(page, 'Overview');
    await expect.poll(first).toBe(874);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => readNumbers(page, 'y')).toEqual(before);
    await openMode(page, 'dw & db');
    await expect.poll(first).toBe(74);
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await expect.poll(first).toBe(874);
  });
});

/** The sum of all products of an explained sum; compares each channel with its subtotal. */
async function addedUp(panel: Locator): Promise<number> {
  const listed = async () => {
    const rest = panel.getByRole('button', { name: /^Show all \d+$/ });
    if (await rest.isVisible()) await rest.click();
    const products = await panel.locator('.term__product').allTextContents();
    return products.map(numberIn).reduce((a, b) => a + b, 0);
  };
  const parts = panel.locator('.plane');
  if ((await parts.count()) === 0) return listed();
  const folded = panel.getByRole('button', { name: /^Show all \d+ \w+s$/ });
  if (await folded.isVisible()) await folded.click();
  let sum = 0;
  for (const part of await parts.all()) {
    const head = part.getByRole('button', { name: /^(channel|filter|image) \d+$/ });
    if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
    const subtotal = numberIn(await part.locator('.plane__subtotal').textContent());
    expect(await listed()).toBe(subtotal);
    sum += subtotal;
  }
  return sum;
}

describe.each(TESTED_CASES.map((one) => [one.name, one] as const))('explained sums of case %s', (_, one) => {
  it('add up to the computed value, by term and by part', async () => {
    const { page, troubles } = await openPage(stage, {}, linkTo(one));
    const results = {
      y: imagePlane(one.y, one.y_shape, 0, 0),
      dx: imagePlane(one.dx, one.x_shape, 0, 0),
      dw: kernelPlane(one.dw, one.w_shape, 0, 0),
    };
    const seed = Number(process.env['CONV2D_SEED'] ?? Math.floor(Math.random() * 1e6));
    for (const [tensor, values] of Object.entries(results)) {
      const index = seed % values.length;
      const cell = grid(page, planeName(tensor, one)).getByRole('gridcell').nth(index);
      await cell.click();
      const panel = explained(page);
      const total = async (term: string) =>
        numberIn(
          await panel
            .getByRole('definition')
            .and(panel.locator(`dt:has-text("${term}") + dd`))
            .textContent(),
        );
      // The value of the cell is shown at once, sum and products after they have been computed.
      const message = `${tensor}, seed ${seed}`;
      await expect.poll(() => total('computed by'), { message }).toBe(values[index]);
      const sum = (values[index] ?? Number.NaN) - (tensor === 'y' ? (one.b?.[0] ?? 0) : 0);
      await expect.poll(() => total('sum of the products'), { message }).toBe(sum);
      await expect.poll(() => addedUp(panel), { message }).toBe(sum);
      await cell.click();
    }
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});
