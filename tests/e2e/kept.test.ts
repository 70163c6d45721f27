import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_LINK, NOTEBOOK_4, openPage, useStage } from './support/browser';
import { briefly, cellAt, grid, readNumbers, setField, typeInto } from './support/grids';
import { chooseFrom } from './support/modes';
import { encodePng } from './support/png';
import type { Serving } from './support/site';

const serving: Serving = {};
const stage = useStage(serving);

const field = (page: Page, name: string) => page.getByRole('spinbutton', { name, exact: true });
const restored = (page: Page) => page.getByText(/^Restored .* from this browser/);
const hashOf = (page: Page) => page.evaluate(() => location.hash);

/** An image of one gray, with more cells than a link can contain. */
async function openPicture(page: Page, gray: number, name = 'photo.png'): Promise<void> {
  const png = encodePng(60, 50, () => [gray, gray, gray]);
  await page.getByLabel('image file').setInputFiles({ name, mimeType: 'image/png', buffer: png });
  await expect.poll(() => field(page, 'width').inputValue()).toBe('60');
  await expect.poll(() => firstOf(page)).toBeCloseTo(gray / 255, 5);
}

/** The first value of x, which is a map: only the cell at the cursor is an element. */
const firstOf = async (page: Page, name = 'x') =>
  Number(await grid(page, name).getByRole('gridcell').first().getAttribute('data-value'));

/** Types into the cell at the cursor of a map. */
async function typeFirst(page: Page, name: string, value: string): Promise<void> {
  await grid(page, name).getByRole('gridcell').first().focus();
  await page.keyboard.type(value);
  await page.keyboard.press('Enter');
}

/** Number of stored parts: values and files. */
const partsIn = (page: Page) =>
  page.evaluate(async () => {
    const resultOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    // Opening a database that the page has not made yet would make an empty one.
    const isMade = (await indexedDB.databases()).some(({ name }) => name === 'conv2d playground');
    if (!isMade) return 0;
    const database = await resultOf(indexedDB.open('conv2d playground', 1));
    const parts = await resultOf(database.transaction('parts').objectStore('parts').count());
    database.close();
    return parts;
  });

/** Another page of the same browser, with the same storage. */
async function another(context: BrowserContext, hash: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(stage.site.url + hash);
  await grid(page, 'y').waitFor();
  return page;
}

describe('a reload', () => {
  it('restores an edit of a moment ago, and edits of the restored state can be undone', async () => {
    const { page, troubles } = await openPage(stage, {}, NO_LINK);
    await typeInto(page, cellAt(page, 'x', 0, 0), '7');
    await expect.poll(() => hashOf(page)).toContain('~');
    await setField(page, 'height', '6');
    await page.reload();
    await grid(page, 'x').waitFor();
    expect(await field(page, 'height').inputValue()).toBe('6');
    expect((await readNumbers(page, 'x'))[0]).toBe(7);
    expect(await readNumbers(page, 'x')).toHaveLength(30);
    await expect.poll(() => hashOf(page)).toContain('h=6');
    // The link contains everything: no notice.
    expect(await restored(page).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled()).toBe(true);
    await typeInto(page, cellAt(page, 'x', 0, 0), '9');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(async () => (await readNumbers(page, 'x'))[0]).toBe(7);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('differs from following the link again, which opens only the link', async () => {
    const { page } = await openPage(stage);
    await typeInto(page, cellAt(page, 'x', 1, 1), '70');
    await page.goto(`${stage.site.url}?again${NOTEBOOK_4}`);
    await grid(page, 'dx').waitFor();
    expect((await readNumbers(page, 'x'))[0]).toBe(0);
    await page.context().close();
  });

  it('restores the edit before it, also if the page is still there when the server answers', async () => {
    for (const isLarge of [false, true]) {
      const { page } = await openPage(stage, {}, NO_LINK);
      if (isLarge) await openPicture(page, 51);
      await expect.poll(() => hashOf(page)).toContain(isLarge ? 'file' : 'v=2');
      await setField(page, 'stride', '2');
      let answer = () => {};
      const after = new Promise<void>((resolve) => {
        answer = resolve;
      });
      serving.patch = (file, body) => (file === 'index.html' ? { body, after } : body);
      const reloaded = page.reload();
      // The reload has begun with the address before the edit.
      await expect.poll(() => page.url()).toContain('stride=2');
      answer();
      serving.patch = undefined;
      await reloaded;
      await grid(page, 'y').waitFor();
      expect(await field(page, 'stride').inputValue()).toBe('2');
      if (isLarge) await expect.poll(() => firstOf(page)).toBeCloseTo(0.2, 5);
      await page.context().close();
    }
  });

  it('restores an image, its file and an edit of it, with a notice, and can start over', async () => {
    const { page, troubles } = await openPage(stage, { permissions: ['clipboard-write'] }, NO_LINK);
    await openPicture(page, 51);
    // The values and the file.
    await expect.poll(() => partsIn(page)).toBe(2);
    await setField(page, 'stride', '2');
    await page.reload();
    await restored(page).waitFor();
    await page.getByText('Restored x from this browser').waitFor();
    expect(await firstOf(page)).toBeCloseTo(0.2, 5);
    expect(await field(page, 'stride').inputValue()).toBe('2');
    expect(await page.getByText('x was the image').count()).toBe(0);
    // Changes a cell of it and closes the page at once.
    await typeFirst(page, 'x', '0.75');
    await page.reload();
    await restored(page).waitFor();
    await expect.poll(() => firstOf(page)).toBe(0.75);
    // The restored state can be edited, and undone back to the restore.
    // The values without the file.
    await briefly(page.getByText('Link copied'), () => chooseFrom(page, 'Share', 'Copy link'));
    await page.getByRole('radio', { name: '3 channels, RGB' }).click();
    await expect.poll(() => field(page, 'channels').inputValue()).toBe('3');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => firstOf(page)).toBe(0.75);
    await page.getByRole('button', { name: 'Start over' }).click();
    await expect.poll(() => readNumbers(page, 'x')).toHaveLength(25);
    await restored(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => firstOf(page)).toBe(0.75);
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

describe('stored pages', () => {
  it('are restored after another link, separately for each tab', async () => {
    const { page: first, troubles } = await openPage(stage, {}, NO_LINK);
    const context = first.context();
    await openPicture(first, 51);
    const second = await another(context, NO_LINK);
    await openPicture(second, 102);
    await expect.poll(() => hashOf(first)).toContain('file');
    await expect.poll(() => hashOf(second)).toContain('file');
    expect(await hashOf(first)).toBe(await hashOf(second));
    await first.reload();
    await restored(first).waitFor();
    await second.reload();
    await restored(second).waitFor();
    expect(await firstOf(first)).toBeCloseTo(0.2, 5);
    expect(await firstOf(second)).toBeCloseTo(0.4, 5);
    // Another link in the same tab replaces the state; Back returns to the image.
    await first.goto('about:blank');
    await first.goto(`${stage.site.url}#h=4&kh=2`);
    await expect.poll(() => readNumbers(first, 'x')).toHaveLength(16);
    expect(await restored(first).count()).toBe(0);
    await second.goto('about:blank');
    await second.goBack();
    await grid(second, 'x').waitFor();
    expect(await firstOf(second)).toBeCloseTo(0.4, 5);
    await context.close();
    expect(troubles).toEqual([]);
  });

  it('are none where storage is refused, which is said once and harms nothing', async () => {
    const { page, troubles } = await openPage(stage, {}, NO_LINK);
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('The user denied permission to access the database.', 'SecurityError');
      };
      IDBFactory.prototype.open = refuse;
      Storage.prototype.getItem = refuse;
      Storage.prototype.setItem = refuse;
    });
    await page.reload();
    await grid(page, 'y').waitFor();
    // Without storage the page does not know that the section was open.
    const section = page.getByRole('button', { name: /input/ });
    if ((await section.getAttribute('aria-expanded')) === 'false') await section.click();
    await setField(page, 'height', '6');
    await openPicture(page, 51);
    const notice = page.getByText('Reloading loses x');
    await notice.waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await notice.waitFor({ state: 'detached' });
    await setField(page, 'stride', '2');
    await expect.poll(() => hashOf(page)).toContain('stride=2');
    expect(await notice.count()).toBe(0);
    await page.reload();
    // As for everyone with the link.
    await page.getByText('x was the image photo.png, too large for a link').waitFor();
    expect(await field(page, 'stride').inputValue()).toBe('2');
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});
