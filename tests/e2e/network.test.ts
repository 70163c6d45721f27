import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useStage } from './support/browser';
import { cellAt, grid, readNumbers } from './support/grids';
import { openMode } from './support/modes';

/** x = 0 … 15; a convolution with the single weight 1 copies it; then ReLU and max pooling of 2 × 2. */
const COPY = '#h=4&kh=1&x=ramp&weights=ones&layer.2=relu&layer.3=max_pool;kernel:2&dy=ones&mode=network';
/** The same with a second convolution at the end: the single weight 3. */
const TWO = COPY.replace('&dy=', '&layer.4=conv;kh:1;weights:constant:3&dy=');

const side = (page: Page) => page.getByRole('region', { name: 'Explain' });

/** The button with the name of a layer, which opens its menu. */
const menuOf = (page: Page, layer: number) => page.getByRole('button', { name: new RegExp(`^y${layer} `) });

/** Chooses an action in the menu of its layer: "Open layer 4: conv 1 × 1". */
async function openLayer(page: Page, name: string): Promise<void> {
  await menuOf(page, Number(/\d/.exec(name)?.[0])).click();
  await page.getByRole('button', { name }).click();
}

describe('a network', () => {
  const stage = useStage();

  it('shows all layers: values forward, gradients back to the cells that won', async () => {
    const { page, troubles } = await openPage(stage, {}, COPY);
    await grid(page, 'dy2').waitFor();
    expect(await readNumbers(page, 'y3')).toEqual([5, 7, 13, 15]);
    expect(await readNumbers(page, 'dy3')).toEqual([1, 1, 1, 1]);
    const won = [0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1];
    expect(await readNumbers(page, 'dy2')).toEqual(won);
    // x[0,0] = 0: its gate is closed, which does not matter here.
    expect(await readNumbers(page, 'dx')).toEqual(won);
    expect(troubles).toEqual([]);
  });

  it('explains the cell under the pointer with the numbers of its window', async () => {
    const { page, troubles } = await openPage(stage, {}, COPY);
    await cellAt(page, 'y3', 1, 0).hover();
    await expect.poll(() => side(page).textContent()).toContain('y3[1,0] = 13');
    expect(await side(page).textContent()).toContain('The largest of 4 cells of y2: 8, 9, 12, 13.');
    await cellAt(page, 'dy2', 0, 0).click();
    await page.mouse.move(0, 0);
    // Pinned, and in the link.
    await expect.poll(() => side(page).textContent()).toContain('no gradient reaches it');
    await expect.poll(() => page.url()).toContain('network.cell=dy2.0');
    expect(troubles).toEqual([]);
  });

  it('shows the weights of each convolution and their gradients in its card, and explains them', async () => {
    const { page, troubles } = await openPage(stage, {}, TWO);
    await grid(page, 'w4').waitFor();
    expect(await readNumbers(page, 'w1')).toEqual([1]);
    expect(await readNumbers(page, 'w4')).toEqual([3]);
    // The winners are 5, 7, 13 and 15; dy3 is 3 everywhere, dy4 is 1.
    expect(await readNumbers(page, 'dw4')).toEqual([40]);
    expect(await readNumbers(page, 'dw1')).toEqual([120]);
    await cellAt(page, 'dw1', 0, 0).click();
    await page.mouse.move(0, 0);
    await expect.poll(() => side(page).textContent()).toContain('dw1[0,0] = 120');
    await expect.poll(() => page.url()).toContain('network.cell=dw1.0');
    expect(troubles).toEqual([]);
  });

  it('computes all layers after an edit of x', async () => {
    const { page, troubles } = await openPage(stage, {}, TWO);
    await cellAt(page, 'x', 0, 0).dblclick();
    await page.keyboard.type('40');
    await page.keyboard.press('Enter');
    await expect.poll(() => readNumbers(page, 'y3')).toEqual([40, 7, 13, 15]);
    expect(await readNumbers(page, 'y4')).toEqual([120, 21, 39, 45]);
    expect(troubles).toEqual([]);
  });

  it('paints only what an edit changed', async () => {
    const { page, troubles } = await openPage(
      stage,
      {},
      '#h=12&kh=3&x=random:1&weights=random:3&layer.1=conv;kh:3;weights:filter:outline&layer.2=relu&dy=ones&mode=network',
    );
    await grid(page, 'dy3').waitFor();
    await page.evaluate(() => {
      const painted = new Set<string>();
      Object.assign(window, { painted });
      const { drawImage } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.drawImage = function (this: CanvasRenderingContext2D, ...args: unknown[]) {
        const title =
          this.canvas instanceof HTMLCanvasElement && this.canvas.closest('.panel')?.querySelector('.figure__title');
        if (title) painted.add(title.textContent ?? '');
        return (drawImage as (...all: unknown[]) => void).apply(this, args);
      };
    });
    await page.getByRole('button', { name: 'Shuffle w' }).click();
    const painted = () => page.evaluate(() => [...(window as unknown as { painted: Set<string> }).painted].sort());
    // The last layer has other weights: its output, and the gradients before it. dy3 is 1 everywhere, so dw3 stays; the color of that 1
    // depends on the largest gradient.
    await expect.poll(painted).toEqual(['dw1', 'dx', 'dy1', 'dy2', 'dy3', 'w3', 'y3']);
    expect(troubles).toEqual([]);
  });

  it('explains a cell of a convolution with the products of its sum, also of a layer that is not open', async () => {
    const { page, troubles } = await openPage(
      stage,
      {},
      // The first layer doubles x = 0 … 8.
      '#h=3&kh=1&x=ramp&weights=constant:2&layer.2=conv;kh:2;weights:ramp;bias:ones&dy=ones&mode=network',
    );
    await cellAt(page, 'y2', 0, 0).click();
    await page.mouse.move(0, 0);
    const explain = side(page);
    await expect.poll(() => explain.textContent()).toContain('The sum of 4 products of y1 and w2, plus b.');
    await expect.poll(() => explain.textContent()).toContain('In layer 2 alone, x is y1, y is y2 and dy is dy2.');
    const products = () => explain.locator('.term__product').allTextContents();
    // y1[0..1,0..1] is 0, 2, 6, 8; w2 is 0, 1, 2, 3.
    await expect.poll(products).toEqual(['0', '2', '12', '24']);
    expect(await explain.textContent()).toContain('y2[0,0] = 39');
    await explain.getByRole('button', { name: 'w[1,1]' }).first().click();
    await expect.poll(() => page.url()).toContain('network.cell=w2.3');
    await grid(page, 'dw2').getByRole('gridcell').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    // dy2 is 1 everywhere: dw2[1,1] = 8 + 10 + 14 + 16.
    await expect.poll(products).toEqual(['8', '10', '14', '16']);
    expect(await explain.textContent()).toContain('dw2[1,1] = 48');
    expect(troubles).toEqual([]);
  });

  it('closes the cone forward, then opens it backward; a pinned cell keeps its cone', async () => {
    const { page, troubles } = await openPage(stage, {}, COPY);
    await grid(page, 'dx').waitFor();
    const player = page.getByRole('group', { name: 'steps of the network' });
    expect(await player.locator('output').textContent()).toBe('0 / 7');
    const line = page.locator('.net__line');
    // Of the last output the cell in the middle: 4 cells of y2, of which 5 wins.
    expect(await line.textContent()).toBe('y3[0,0] = 5 reads 4 cells of y2, and so 4 of x');
    const bands = page.locator('.net__band');
    expect(await bands.count()).toBe(6);
    const marks = (name: string, tone: string) =>
      page
        .locator('.panel')
        .filter({ has: grid(page, name) })
        .locator(`.mark--${tone}`)
        .count();
    const slider = player.getByRole('slider');
    await slider.focus();
    for (let i = 0; i < 2; i += 1) await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => player.textContent())
      .toContain('Step 2 of 7, forward through layer 2 (ReLU): 4 cells of y2 from 4 of y1.');
    expect(await bands.count()).toBe(2);
    expect(await marks('y2', 'source')).toBe(1);
    expect(await marks('y3', 'pending')).toBe(1);
    await cellAt(page, 'x', 3, 3).click();
    await page.mouse.move(0, 0);
    await expect.poll(() => line.textContent()).toBe('x[3,3] = 15 is read by 1 cell of y1, and so 1 of y3');
    await slider.focus();
    await page.keyboard.press('End');
    await expect
      .poll(() => player.textContent())
      .toContain('Step 7 of 7, backward through layer 1 (conv 1 × 1): 1 cell');
    await expect.poll(() => page.url()).toContain('network.t=7');
    expect(page.url()).toContain('network.cell=x.15');
    expect(await bands.count()).toBe(6);
    expect(await marks('dx', 'pending')).toBe(0);
    expect(troubles).toEqual([]);
  });

  it('gives the layer under the pointer the room, and keeps the pointer on it', async () => {
    const { page, troubles } = await openPage(
      stage,
      {},
      '#h=12&kh=3&x=random:5&weights=random:2&layer.1=conv;kh:3;kw:3;weights:random:3&layer.2=relu&layer.3=max_pool;kernel:2&dy=ones&mode=network',
    );
    await grid(page, 'x').waitFor();
    const frame = (name: string) =>
      page
        .locator('.panel')
        .filter({ has: grid(page, name) })
        .locator('.panel__frame');
    const widthOf = async (name: string) => (await frame(name).boundingBox())?.width ?? 0;
    expect(await widthOf('x')).toBeGreaterThanOrEqual(24 * 12);
    expect(await widthOf('dy1')).toBeLessThan(160);
    const box = await frame('dy1').boundingBox();
    if (!box) throw new Error('dy1 has no place');
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.move(at.x, at.y);
    await expect.poll(() => widthOf('dy1')).toBeGreaterThan(240);
    expect(await widthOf('x')).toBeLessThan(200);
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    expect(
      await page.evaluate(
        ({ x, y }) => document.elementFromPoint(x, y)?.closest('[role=grid]')?.getAttribute('aria-label'),
        at,
      ),
    ).toBe('dy1');
    // By keyboard, too: the focus stays on the cell.
    await grid(page, 'y2').getByRole('gridcell').first().focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => widthOf('y2')).toBeGreaterThan(240);
    const focused = () =>
      page.evaluate(() => {
        const cell = document.activeElement;
        return [cell?.closest('[role=grid]')?.getAttribute('aria-label'), cell?.getAttribute('data-col')];
      });
    await expect.poll(focused).toEqual(['y2', '1']);
    expect(troubles).toEqual([]);
  });

  it('edits weights where they stand', async () => {
    const { page, troubles } = await openPage(stage, {}, TWO);
    await cellAt(page, 'w4', 0, 0).click();
    await page.keyboard.type('-2');
    await page.keyboard.press('Enter');
    await expect.poll(() => readNumbers(page, 'y4')).toEqual([-10, -14, -26, -30]);
    expect(await readNumbers(page, 'w4')).toEqual([-2]);
    expect(troubles).toEqual([]);
  });

  it('moves the 1 of a dy that follows the pointer, over the last output and its gradient only', async () => {
    const { page, troubles } = await openPage(stage, {}, TWO.replace('dy=ones', 'dy=pointed:0'));
    await cellAt(page, 'y4', 1, 0).hover();
    await expect.poll(() => readNumbers(page, 'dy4')).toEqual([0, 0, 1, 0]);
    // 13 won in row 3 of y2, column 1.
    await expect.poll(async () => (await readNumbers(page, 'dy2')).indexOf(3)).toBe(13);
    await cellAt(page, 'dy4', 1, 1).hover();
    await expect.poll(() => readNumbers(page, 'dy4')).toEqual([0, 0, 0, 1]);
    await cellAt(page, 'y3', 0, 0).hover();
    await expect.poll(() => page.locator('.net__line').textContent()).toContain('y3[0,0] = 5');
    expect(await readNumbers(page, 'dy4')).toEqual([0, 0, 0, 1]);
    expect(troubles).toEqual([]);
  });

  it('opens a layer: every other view shows it, with the x and dy that it has in the network', async () => {
    const { page, troubles } = await openPage(stage, {}, TWO);
    await page.evaluate(() => {
      const { animate } = Element.prototype;
      Object.assign(window, { flown: [] });
      Element.prototype.animate = function (this: Element, ...args) {
        (window as unknown as { flown: unknown[] }).flown.push((args[1] as KeyframeAnimationOptions).duration);
        return animate.apply(this, args);
      };
    });
    // Panels that make room for the one under the pointer glide for a shorter time.
    const flown = () =>
      page.evaluate(
        () => (window as unknown as { flown: unknown[] }).flown.filter((duration) => duration === 240).length,
      );
    await openLayer(page, 'Open layer 4: conv 1 × 1');
    // x, w, y and their gradients fly from the network to the overview.
    await expect.poll(flown).toBe(6);
    await expect.poll(() => readNumbers(page, 'x')).toEqual([5, 7, 13, 15]);
    expect(await readNumbers(page, 'y')).toEqual([15, 21, 39, 45]);
    expect(await grid(page, 'x').getAttribute('aria-readonly')).toBe('true');
    const breadcrumb = page.getByRole('navigation', { name: 'Network' });
    expect(await breadcrumb.textContent()).toContain('Layer 4: conv 1 × 1');
    // To show a layer is no edit.
    expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(flown).toBe(12);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openLayer(page, 'Open layer 1: conv 1 × 1');
    await expect.poll(() => breadcrumb.textContent()).toContain('Layer 1: conv 1 × 1');
    expect(await flown()).toBe(12);
    expect(await readNumbers(page, 'dy')).toEqual([0, 0, 0, 0, 0, 3, 0, 3, 0, 0, 0, 0, 0, 3, 0, 3]);
    await breadcrumb.getByRole('button', { name: 'Network' }).click();
    await grid(page, 'y4').waitFor();
    expect(troubles).toEqual([]);
  });

  it('grows from one layer by keyboard, shrinks again, and undo restores each step', async () => {
    const { page, troubles } = await openPage(stage, {}, '#h=4&kh=1&x=ramp&weights=ones');
    await grid(page, 'dx').waitFor();
    await openMode(page, 'Network');
    const add = page.getByRole('button', { name: 'Add average pool 2 × 2' });
    await add.focus();
    await page.keyboard.press('Enter');
    // (0 + 1 + 4 + 5) / 4 and so on.
    await expect.poll(() => readNumbers(page, 'y2')).toEqual([2.5, 4.5, 10.5, 12.5]);
    await add.click();
    await expect.poll(() => readNumbers(page, 'y3')).toEqual([7.5]);
    await add.click();
    const refusal = page.getByRole('alert');
    await expect.poll(() => refusal.textContent()).toContain('the window has 2 rows, but its input has 1');
    await openLayer(page, 'Remove layer 3: average pooling 2 × 2');
    await expect.poll(() => grid(page, 'y3').count()).toBe(0);
    expect(await refusal.count()).toBe(0);
    await page.keyboard.press('Control+z');
    await expect.poll(() => readNumbers(page, 'y3')).toEqual([7.5]);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(() => grid(page, 'y').count()).toBe(1);
    expect(troubles).toEqual([]);
  });

  it('inserts a layer between two, changes the window of a pooling, and says why sizes do not fit', async () => {
    const { page, troubles } = await openPage(stage, {}, '#h=4&kh=1&x=ramp&weights=ones&layer.2=max_pool;kernel:2');
    await openMode(page, 'Network');
    await grid(page, 'y2').waitFor();
    await page.getByLabel('place of the new layer').selectOption('after layer 1');
    await page.getByRole('button', { name: 'Add ReLU' }).click();
    await expect.poll(() => readNumbers(page, 'y3')).toEqual([5, 7, 13, 15]);
    await menuOf(page, 3).click();
    await page.getByLabel('stride of layer 3').selectOption('1');
    await expect.poll(() => readNumbers(page, 'y3')).toEqual([5, 6, 7, 9, 10, 11, 13, 14, 15]);
    await page.getByLabel('window of layer 3').selectOption('4');
    await expect.poll(() => readNumbers(page, 'y3')).toEqual([15]);
    await page.getByLabel('padding of layer 3').selectOption('1');
    // 4 + 2 - 4 + 1 = 3 rows.
    await expect.poll(() => readNumbers(page, 'y3')).toEqual([10, 11, 11, 14, 15, 15, 14, 15, 15]);
    await page.keyboard.press('Escape');
    await page.getByLabel('place of the new layer').selectOption('at the start');
    await page.getByRole('button', { name: 'Add average pool 2 × 2' }).click();
    await expect.poll(() => grid(page, 'y4').count()).toBe(1);
    // 2 + 2 rows: a window of 4 fits, without padding it does not.
    await menuOf(page, 4).click();
    await page.getByLabel('padding of layer 4').selectOption('0');
    const refusal = page.getByRole('alert');
    await expect
      .poll(() => refusal.textContent())
      .toContain('layer 4 (max pooling 4 × 4): the window has 4 rows, but its input has 2');
    await page.keyboard.press('Control+z');
    await expect.poll(() => grid(page, 'y4').count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  it('stands one layer below the other on a phone', async () => {
    const { page, troubles } = await openPage(stage, { viewport: { width: 390, height: 844 } }, COPY);
    await grid(page, 'y3').waitFor();
    const topOf = async (name: string) => (await grid(page, name).boundingBox())?.y ?? 0;
    expect(await topOf('y1')).toBeGreaterThan(await topOf('x'));
    expect(await topOf('y2')).toBeGreaterThan(await topOf('y1'));
    expect(Math.abs((await topOf('dy2')) - (await topOf('y2')))).toBeLessThan(8);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(troubles).toEqual([]);
  });

  it('costs a problem of one layer nothing: no part of networks is downloaded', async () => {
    const { page } = await openPage(stage, {}, '#h=4&kh=1&x=ramp&weights=ones');
    await grid(page, 'dx').waitFor();
    const names = () =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.replace(/^.*\//, '')));
    expect((await names()).filter((name) => /network/i.test(name))).toEqual([]);
  });
});
