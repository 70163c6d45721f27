import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_LINK, type OpenPage, openPage, useStage } from './support/browser';
import { briefly, cellAt, grid, readNumbers, setField, typeInto } from './support/grids';
import { encodePng } from './support/png';

interface NotebookCase {
  readonly name: string;
  readonly y: number[];
  readonly dx: number[];
  readonly dw: number[];
  readonly db: number[];
}

const notebook = JSON.parse(readFileSync(join(import.meta.dirname, '../golden/notebook.json'), 'utf8')) as {
  cases: NotebookCase[];
};

function caseNamed(name: string): NotebookCase {
  const found = notebook.cases.find((entry) => entry.name === name);
  if (!found) throw new Error(`no notebook case ${name}`);
  return found;
}

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

describe('the opening problem', () => {
  it('is small, and explains a cell of y without a hover', async () => {
    const { page, troubles } = await openPage(stage, {}, NO_LINK);
    await grid(page, 'dx').waitFor();
    // x is 1 from row and column 2 on, w is the Sobel filter, dy is 1 in its middle cell alone.
    expect(await readNumbers(page, 'y')).toEqual([1, 1, 0, 3, 3, 0, 4, 4, 0]);
    // dw is the window of x that starts at [1,1], dx is w at that window.
    expect(await readNumbers(page, 'dw')).toEqual([0, 0, 0, 0, 1, 1, 0, 1, 1]);
    const inWindow = [0, 1, 2, 1, 0];
    const cols = [0, -1, 0, 1, 0];
    expect(await readNumbers(page, 'dx')).toEqual(inWindow.flatMap((row) => cols.map((col) => row * col || 0)));
    expect(await readNumbers(page, 'db')).toEqual([1]);
    const panel = page.getByRole('region', { name: 'Explain' });
    await panel.getByRole('heading', { name: 'y[1,1] = 3', exact: true }).waitFor();
    expect(await page.evaluate(() => location.hash)).not.toContain('cell=');
    // One change gives a stride of 2.
    await setField(page, 'stride', '2');
    await expect.poll(() => readNumbers(page, 'y')).toEqual([1, 0, 4, 0]);
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

describe('case 4 of the notebook', () => {
  it('shows y, dx, dw and db', async () => {
    const expected = caseNamed('4 padding and stride');
    for (const name of ['y', 'dx', 'dw', 'db'] as const) {
      expect(await readNumbers(open.page, name), name).toEqual(expected[name]);
    }
  });

  it('reaches the other square notebook cases by the controls', async () => {
    const { page } = open;
    await setField(page, 'padding all sides', '0');
    await expect.poll(() => readNumbers(page, 'y')).toEqual(caseNamed('3 stride').y);
    expect(await readNumbers(page, 'dx')).toEqual(caseNamed('3 stride').dx);
    await setField(page, 'stride', '1');
    await setField(page, 'height', '4');
    await setField(page, 'width', '4');
    await expect.poll(() => readNumbers(page, 'y')).toEqual(caseNamed('1 basic').y);
    expect(await readNumbers(page, 'dw')).toEqual(caseNamed('1 basic').dw);
    await setField(page, 'padding all sides', '1');
    await expect.poll(() => readNumbers(page, 'y')).toEqual(caseNamed('2 padding').y);
    expect(await readNumbers(page, 'dx')).toEqual(caseNamed('2 padding').dx);
  });
});

describe('editing', () => {
  it('recomputes all results that depend on an edited cell, and undoes the edit', async () => {
    const { page } = open;
    // x[0,0] (at [1,1] of the padded grid) from 0 to 100: read once, with the weight w[1,1] = 8.
    await typeInto(page, cellAt(page, 'x', 1, 1), '100');
    await expect.poll(async () => (await readNumbers(page, 'y'))[0]).toBe(74 + 8 * 100);
    expect((await readNumbers(page, 'dw'))[4]).toBe(384 + 100);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await readNumbers(page, 'y'))[0]).toBe(74);
    expect((await readNumbers(page, 'dw'))[4]).toBe(384);
  });

  it('recomputes dx and db after an edit of dy', async () => {
    const { page } = open;
    await typeInto(page, cellAt(page, 'dy', 0, 0), '3');
    // dy[0,0] is 2 more: dx[0,0] = w[1,1] dy[0,0], and db is the sum.
    await expect.poll(async () => (await readNumbers(page, 'dx'))[0]).toBe(8 * 3);
    expect(await readNumbers(page, 'db')).toEqual([18]);
  });

  it('keeps the last valid result for an impossible size, gives the reason, and recovers', async () => {
    const { page } = open;
    const before = await readNumbers(page, 'y');
    const field = page.getByRole('spinbutton', { name: 'kernel', exact: true });
    await field.fill('30');
    await page.getByText('At most 9: kernel ≤ input + padding (7 + 2)').waitFor();
    expect(await readNumbers(page, 'y')).toEqual(before);
    await field.fill('3');
    await page.getByText('At most 9').waitFor({ state: 'hidden' });
    await setField(page, 'stride', '1');
    await expect.poll(async () => (await readNumbers(page, 'y')).length).toBe(49);
  });

  it('keeps the result while a field is empty or incomplete', async () => {
    const { page } = open;
    const before = await readNumbers(page, 'y');
    for (const text of ['', '-', '0', '-1']) {
      const field = page.getByRole('spinbutton', { name: 'stride', exact: true });
      await field.focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('Backspace');
      await page.keyboard.type(text);
      expect(await readNumbers(page, 'y')).toEqual(before);
    }
  });
});

/** Timeout for reading and decoding a file in a worker, which may have to start first. */

describe('images', () => {
  it('opens a PNG and filters it', async () => {
    const { page } = open;
    // Left half black, right half white: one edge, between columns 3 and 4.
    const png = encodePng(8, 6, (_row, col) => (col < 4 ? [0, 0, 0] : [255, 255, 255]));
    await page.getByLabel('image file').setInputFiles({ name: 'edge.png', mimeType: 'image/png', buffer: png });
    await expect.poll(() => page.getByRole('spinbutton', { name: 'width', exact: true }).inputValue()).toBe('8');
    await page.getByRole('combobox', { name: 'filter', exact: true }).selectOption({ label: 'Sobel, left to right' });
    const row = [0, 0, 0, 4, 4, 0, 0, -4];
    await expect.poll(async () => (await readNumbers(page, 'y')).slice(16, 24)).toEqual(row);
  });

  it('reports an image that a link cannot contain, and uses it when it is opened', async () => {
    const hash = '#v=2&h=6&w=8&kh=3&kw=3&stride=2&padding=1&c=3&x=file:edge.png&weights=ones&dy=ones';
    const { page } = await openPage(stage, {}, hash);
    const notice = page.getByRole('status').filter({ hasText: 'x was the image edge.png' });
    await notice.waitFor();
    await expect.poll(() => readNumbers(page, 'y')).toEqual(Array.from({ length: 12 }, () => 0));
    const png = encodePng(8, 6, () => [255, 255, 255]);
    await page.getByLabel('image file').setInputFiles({ name: 'edge.png', mimeType: 'image/png', buffer: png });
    await notice.waitFor({ state: 'detached' });
    // Three white channels times nine ones, less the cells in the padding; with the stride of the link.
    await expect.poll(async () => (await readNumbers(page, 'y')).slice(0, 4)).toEqual([12, 18, 18, 18]);
    await page.context().close();
  });

  it('changes its channels, and reports the change of the filters', async () => {
    const { page } = open;
    const png = encodePng(6, 6, () => [255, 0, 0]);
    // In color it is a map, of which only the focused cell is in the DOM.
    const first = (name: string) => async () =>
      Number(await grid(page, name).getByRole('gridcell').first().getAttribute('data-value'));
    await page.getByRole('radio', { name: '3 channels, RGB' }).check();
    await page.getByLabel('image file').setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: png });
    await expect.poll(first('x[n=0, c=0]')).toBe(1);
    await page.getByText('3 groups: each filter').waitFor();
    expect(await page.getByRole('spinbutton', { name: 'groups', exact: true }).inputValue()).toBe('3');
    await page.getByRole('radio', { name: 'all colors' }).check();
    await expect.poll(() => page.getByRole('spinbutton', { name: 'groups', exact: true }).inputValue()).toBe('1');
    await page.getByText('1 group: each filter').waitFor();
    await page.getByRole('radio', { name: 'one color each' }).check();
    await page.getByRole('radio', { name: '1 channel, gray' }).click();
    // Selected once the file has been read again.
    // ITU-R BT.601: red alone is 0.299 of white.
    const gray = async () => (await readNumbers(page, 'x')).map((value) => value.toFixed(2));
    await expect.poll(gray).toEqual(Array(36).fill('0.30'));
    await page.getByRole('radio', { name: '3 channels, RGB' }).click();
    await expect.poll(first('x[n=0, c=0]')).toBe(1);
  });

  it('reports the sizes before and after a reduction', async () => {
    const { page } = open;
    const png = encodePng(2048, 20, () => [9, 9, 9]);
    await page.getByLabel('image file').setInputFiles({ name: 'wide.png', mimeType: 'image/png', buffer: png });
    await page.getByText('wide.png was reduced from 2048 × 20 to 1024 × 10.').waitFor();
  });

  it('names a file that cannot be read, and keeps the values', async () => {
    const { page } = open;
    const before = await readNumbers(page, 'y');
    await page
      .getByLabel('image file')
      .setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'broken.png: a file of type image/png is not a supported image' }).waitFor();
    expect(await readNumbers(page, 'y')).toEqual(before);
    // 1.6 GB if decoded.
    const vast = encodePng(1, 1, () => [0, 0, 0]);
    vast.writeUInt32BE(20_000, 16);
    vast.writeUInt32BE(20_000, 20);
    await page.getByLabel('image file').setInputFiles({ name: 'vast.png', mimeType: 'image/png', buffer: vast });
    await alert
      .filter({ hasText: 'vast.png: the image has 20000 × 20000 pixels, more than the maximum of 67 million' })
      .waitFor();
    expect(await alert.filter({ hasText: 'broken.png' }).count()).toBe(0);
    expect(await readNumbers(page, 'y')).toEqual(before);
    // The next action removes the alert.
    await page.getByRole('spinbutton', { name: 'kernel', exact: true }).press('ArrowDown');
    await alert.filter({ hasText: 'vast.png' }).waitFor({ state: 'detached' });
  });
});

describe('an example', () => {
  const sheet = (page: OpenPage['page']) => page.getByRole('dialog', { name: 'Examples' });
  const choose = async (page: OpenPage['page'], title: string) => {
    await page.getByRole('button', { name: 'Examples' }).click();
    await sheet(page).getByRole('button', { name: title }).click();
    await sheet(page).waitFor({ state: 'hidden' });
  };

  it('opens its problem and shows its sentence until the next change', async () => {
    const { page } = open;
    await choose(page, '1 Basic');
    await expect.poll(() => readNumbers(page, 'y')).toEqual(caseNamed('1 basic').y);
    const sentence = page.getByRole('status').filter({ hasText: '1 Basic. Four windows of x' });
    await sentence.waitFor();
    await setField(page, 'height', '5');
    await sentence.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => readNumbers(page, 'y')).toEqual(caseNamed('1 basic').y);
  });

  it('is opened by keyboard, and Esc closes the list', async () => {
    const { page } = open;
    const before = await readNumbers(page, 'y');
    await page.keyboard.press('x');
    await sheet(page).waitFor();
    await page.keyboard.press('Escape');
    await sheet(page).waitFor({ state: 'detached' });
    expect(await readNumbers(page, 'y')).toEqual(before);
    await page.keyboard.press('x');
    await sheet(page).getByRole('button', { name: 'No padding' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    // `same` padding of 6 x 6.
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await readNumbers(page, 'y')).length).toBe(36);
  });

  it('restores the opening problem', async () => {
    const { page } = open;
    await choose(page, 'A bright corner');
    await expect.poll(() => readNumbers(page, 'y')).toEqual([1, 1, 0, 3, 3, 0, 4, 4, 0]);
  });

  it('reports a list that fails to load, and keeps the values', async () => {
    const { page } = await openPage(stage);
    await page.route('**/ExamplesSheet-*.js', (route) => route.abort());
    await grid(page, 'dx').waitFor();
    const before = await readNumbers(page, 'y');
    await briefly(page.getByText('The list of examples failed to load.'), () =>
      page.getByRole('button', { name: 'Examples' }).click(),
    );
    expect(await readNumbers(page, 'y')).toEqual(before);
    await page.unroute('**/ExamplesSheet-*.js');
    await choose(page, '1 Basic');
    await expect.poll(() => readNumbers(page, 'y')).toEqual(caseNamed('1 basic').y);
    await page.context().close();
  });
});
