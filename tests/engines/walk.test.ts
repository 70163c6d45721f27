import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { CASES, linkTo } from '../e2e/support/notebook';
import { encodePng } from '../e2e/support/png';
import { type Site, serveSite } from '../e2e/support/site';
import { outOfWindow } from '../e2e/support/survey/out-of-window';
import type { Driver } from './driver';
import { moduleFor, singleThreadReason } from './engine-features';
import { ENGINES } from './engines';
import { Playground, VIEWS } from './page';
import { ERROR_RECORDER } from './probe';
import { gifFrameDurations, pngSize } from './saved-files';

// One walk through the built page, the same in every engine. Expected values are from the notebook or follow from it.

const PICTURES = join(import.meta.dirname, '../../build/engines');
const WIDE = [1440, 900] as const;

/** The case with padding and a stride, in one channel. */
const opening = caseNumber(4);
const START = linkTo(opening);
function caseNumber(number: number) {
  const found = CASES.find(({ name }) => name.startsWith(`${number} `));
  if (!found) throw new Error(`no notebook case ${number}`);
  return found;
}

/** Black on the left, white on the right: Sobel detects one edge. */
const edge = (width: number) => encodePng(width, 6, (_row, col) => (col < width / 2 ? [0, 0, 0] : [255, 255, 255]));
const SOBEL_OF_8 = [0, 0, 0, 4, 4, 0, 0, -4];
/** Lines that `npm test` always prints. */
const say = (line: string) => process.stdout.write(`${line}\n`);
const leaveOut = (skip: (reason: string) => void, reason: string) => {
  say(`skipped: ${reason}`);
  skip(reason);
};
const isAlive = (driver: Driver): Promise<boolean> =>
  driver.evaluate('true').then(
    () => true,
    () => false,
  );
const zeros = (values: readonly number[]) => values.map(() => 0);

let site: Site;
/** The modules that the page loaded from the server. */
const fetched = new Set<string>();
beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  site = await serveSite({
    isolated: true,
    patch: (file, body) => {
      // The service worker may cache the module of the exercises at any time.
      const [module] = /conv2d-\w+(?=.*\.wasm$)/.exec(file) ?? [];
      if (module) fetched.add(module);
      if (file !== 'index.html') return body;
      return Buffer.from(body.toString('utf8').replace('<head>', `<head>${ERROR_RECORDER}`));
    },
  });
});
afterAll(() => site.close());

describe.each(ENGINES)('$name', ({ name, missing, start }) => {
  let driver: Driver;
  let page: Playground;
  const begin = async () => {
    driver = await start();
    page = new Playground(driver, site.url);
    await driver.resize(...WIDE);
  };
  beforeAll(async () => {
    if (!missing) await begin();
  });
  /** A test of the walk. The web process of WebKitGTK sometimes crashes: the test then runs in a new one, and says so. */
  const walk = (title: string, run: (context: TestContext) => Promise<void>) =>
    it(title, async (context) => {
      try {
        await run(context);
      } catch (thrown) {
        if (await isAlive(driver)) throw thrown;
        say(`engine: ${name} had crashed and was started again: ${title}`);
        await driver.close().catch(() => undefined);
        await begin();
        await run(context);
      }
    });
  afterAll(() => driver?.close());
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'skip' && !missing) expect(await page.ask('troubles')).toEqual([]);
  });

  it.runIf(missing)('is installed on this machine', ({ skip }) => {
    if (missing) leaveOut(skip, `${name}: ${missing}`);
  });

  describe.skipIf(missing)('walks', () => {
    walk('runs the best module that the engine supports', async () => {
      fetched.clear();
      await page.open();
      const abilities = await page.abilities();
      const { module, threads } = await page.status();
      say(`engine: ${name} ${driver.version}, ${module === 'relaxed' ? 'relaxed SIMD' : '128-bit SIMD'}`);
      expect({ module, threads }).toEqual({ module: moduleFor(abilities), threads: 1 });
      expect([...fetched]).toEqual([`conv2d-${module}`]);
      expect(abilities.simd).toBe(true);
    });

    for (const one of CASES)
      walk(`computes notebook case ${one.name}`, async () => {
        await page.open(linkTo(one));
        expect(await page.tensor('y', one.y_shape)).toEqual(one.y);
        expect(await page.tensor('dx', one.x_shape)).toEqual(one.dx);
        expect(await page.tensor('dw', one.w_shape)).toEqual(one.dw);
        expect(await page.tensor('db', one.y_shape)).toEqual(one.db);
      });

    walk('computes an edited cell, undoes and redoes it', async () => {
      await page.open(START);
      const [first = Number.NaN, ...others] = opening.y;
      // x[0,0] is 0, and is read once, through w[1,1] = 8.
      await page.edit('x', 0, '100');
      const edited = [first + 8 * 100, ...others];
      expect(await page.shows('y', edited)).toEqual(edited);
      const dw = opening.dw.map((value, i) => (i === 4 ? value + 100 : value));
      expect(await page.shows('dw', dw)).toEqual(dw);
      await page.press('Undo');
      expect(await page.shows('y', opening.y)).toEqual(opening.y);
      await driver.press('Control+Shift+z');
      expect(await page.shows('y', edited)).toEqual(edited);
      await driver.press('Control+z');
      expect(await page.shows('y', opening.y)).toEqual(opening.y);
    });

    walk('follows a slider', async () => {
      await page.open(START);
      // The left end is zero padding: case 3.
      await page.slide('padding all sides', 0.02);
      expect(await page.fieldShows('padding all sides', '0')).toBe('0');
      expect(await page.shows('y', caseNumber(3).y)).toEqual(caseNumber(3).y);
      expect(await page.shows('dx', caseNumber(3).dx)).toEqual(caseNumber(3).dx);
    });

    walk('loads an image from a file, and another one that is dropped', async () => {
      await page.open(START);
      const file = join(PICTURES, 'edge.png');
      writeFileSync(file, edge(8));
      await page.openImage(file);
      expect(await page.fieldShows('width', '8')).toBe('8');
      await page.select('filter', 'Sobel, left to right');
      // The first row has padding above it, the third is the first without.
      const row = [...Array(8)].map((_, i) => (SOBEL_OF_8[i] ?? 0) * 0.75);
      const two = [...row, ...SOBEL_OF_8];
      expect(await page.shows('y', two, { whole: false })).toEqual(two);
      await page.ask('drop', 'wider.png', 'image/png', [...edge(10)]);
      expect(await page.fieldShows('width', '10')).toBe('10');
    });

    walk('saves an image, and an animation of every step', async () => {
      await page.open(START);
      await page.openView('dx');
      await page.chooseInView('scatter');
      await page.play('end');
      expect(await page.shows('dx', opening.dx)).toEqual(opening.dx);
      await driver.press('p');
      const svg = (await page.saved('Save SVG')).toString('utf8');
      const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
      for (const value of opening.dx) expect(svg).toContain(`>${value}</text>`);
      const png = await page.saved('Save PNG');
      writeFileSync(join(PICTURES, `${name}-saved.png`), png);
      expect(pngSize(png)).toEqual([2 * Number(width), 2 * Number(height)]);
      await page.chooseTab('Animation');
      const gif = await page.saved('Save GIF');
      writeFileSync(join(PICTURES, `${name}-saved.gif`), gif);
      expect(gifFrameDurations(gif)).toEqual([...opening.y.map(() => 500), 2000]);
      await driver.press('Escape');
    });

    walk('steps through dx in four ways', async () => {
      await page.open(START);
      await page.openView('dx');
      for (const way of ['scatter', 'gather']) {
        await page.chooseInView(way);
        await page.play('start');
        expect(await page.shows('dx', zeros(opening.dx))).toEqual(zeros(opening.dx));
        await page.play('end');
        expect(await page.shows('dx', opening.dx)).toEqual(opening.dx);
      }
      for (const way of ['full convolution', 'phase split']) {
        await page.chooseInView(way);
        if (way === 'full convolution') await page.play('end');
        expect(await page.shows('dx', opening.dx)).toEqual(opening.dx);
      }
    });

    walk('steps through dw and db', async () => {
      await page.open(START);
      await page.openView('dw & db');
      await page.chooseInView('matrix product');
      expect(await page.shows('dw_col', opening.dw)).toEqual(opening.dw);
      for (const [choice, tensor] of [
        ['window by window', 'dw'],
        ['db', 'db'],
      ] as const) {
        await page.chooseInView(choice);
        await page.play('start');
        expect(await page.shows(tensor, zeros(opening[tensor]))).toEqual(zeros(opening[tensor]));
        await page.play('end');
        expect(await page.shows(tensor, opening[tensor])).toEqual(opening[tensor]);
      }
    });

    walk('folds dx_col back in the im2col view', async () => {
      await page.open(START);
      await page.openView('im2col');
      await page.chooseInView('3 col2im');
      await page.play('start');
      expect(await page.shows('dx', zeros(opening.dx))).toEqual(zeros(opening.dx));
      await page.play('end');
      expect(await page.shows('dx', opening.dx)).toEqual(opening.dx);
    });

    walk('propagates a painted dy back', async () => {
      await page.open(START);
      await page.openView('Overview');
      await page.chooseDy('a single 1');
      await page.clickCell('dy', 5);
      // The window of dy[1,1] starts in row 1, column 1 of x and shows w in dx.
      const dx = zeros(opening.dx);
      for (let tap = 0; tap < 9; tap += 1) dx[(1 + Math.floor(tap / 3)) * 7 + 1 + (tap % 3)] = 12 - tap;
      expect(await page.shows('dx', dx)).toEqual(dx);
    });

    walk('checks gradients', async () => {
      await page.open(START);
      await page.openView('Gradient check');
      for (const tensor of ['dx', 'dw', 'db'] as const) {
        await page.chooseInView(tensor);
        // The check opens on a cell with the largest gradient.
        const largest = opening[tensor].reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most));
        expect(await page.checkedGradient(tensor)).toEqual([largest, largest]);
      }
    });

    walk('counts how often each cell is read', async () => {
      await page.open(START);
      await page.openView('Sizes and coverage');
      // Windows of 3 begin at -1, 1, 3, 5: those of odd cells overlap.
      const along = [1, 2, 1, 2, 1, 2, 1];
      const reads = along.flatMap((row) => along.map((col) => row * col));
      expect(await page.shows('coverage of x', reads)).toEqual(reads);
    });

    walk('restores the state from its link', async () => {
      await page.open(START);
      await page.setField('stride', '1');
      // The cells are smaller now.
      expect(await page.rows('y', 7)).toBe('7');
      await page.edit('w', 4, '-0.1');
      await page.edit('dy', 0, '3');
      const link = await page.link('stride', ['weights', 'dy']);
      const before = await page.everything();
      await page.open(new URL(link).hash);
      expect(await page.everything()).toEqual(before);
      expect(before.y).toHaveLength(49);
      expect([before.w[4], before.dy[0]]).toEqual([Math.fround(-0.1), 3]);
    });

    walk('is operable by keyboard', async () => {
      await page.open(START);
      await page.explainsByKeyboard();
      // Without padding it is case 3.
      await page.focusField('padding all sides');
      await driver.press('ArrowDown');
      expect(await page.shows('y', caseNumber(3).y)).toEqual(caseNumber(3).y);
      const left = await page.ask('focused');
      await driver.press('Tab');
      expect(await page.ask('focused')).not.toBe(left);
    });

    walk('computes a large problem on the available threads', async ({ skip }) => {
      // 42 million multiply-adds per pass.
      await page.open('#h=96&w=96&kh=3&kw=3&c=16&k=32&x=ramp&weights=countdown:9');
      const abilities = await page.abilities();
      const reason = singleThreadReason(abilities);
      let status = await page.status();
      // The module with threads loads after the first large problem; each attempt takes time.
      for (let height = 97; height < (reason ? 100 : 160) && status.threads === 1; height += 1) {
        await page.setField('height', String(height));
        await page.rows('y[n=0, k=0]', height - 2);
        status = await page.status();
      }
      expect(status.threads).toBe(reason ? 1 : Math.min(4, abilities.processors));
      if (reason) leaveOut(skip, `${name}, threads: ${reason}`);
      say(`engine: ${name}, ${status.threads} threads`);
    });

    walk('is no wider than its window, on a desktop and on a phone', async () => {
      for (const [shape, width, height] of [
        ['narrow', 320, 640] as const,
        ['phone', 390, 844] as const,
        ['desktop', ...WIDE] as const,
      ]) {
        await driver.resize(width, height);
        await page.open();
        await page.complete();
        const reached = await driver.evaluate('innerWidth');
        if (reached !== width) say(`skipped: ${name}, ${width} px: its window is not narrower than ${reached}`);
        expect(await page.ask('overflow'), shape).toBe(0);
        writeFileSync(join(PICTURES, `${name.toLowerCase()}-${shape}.png`), await driver.screenshot());
      }
    });

    walk('loses no content at 400 % zoom', async () => {
      // The CSS pixels that remain of a 1280 x 900 window.
      await driver.resize(320, 225);
      await page.open(START);
      for (const view of VIEWS) {
        await page.openView(view);
        await page.stageShows();
        // A view is laid out once more when a scroll bar appears.
        const measured = async () => (await driver.evaluate(`(${outOfWindow})()`)) as ReturnType<typeof outOfWindow>;
        await expect.poll(async () => (await measured()).wider).toBe(0);
        const { panels, ...lost } = await measured();
        expect({ view, ...lost }).toEqual({ view, wider: 0, outside: [], empty: [] });
        expect(panels).toBeGreaterThan(0);
      }
      await driver.resize(...WIDE);
    });
  });
});
