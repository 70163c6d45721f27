import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFile } from '../../web/src/formats/formats';
import { CASES, linkTo } from '../e2e/support/notebook';
import { encodePng } from '../e2e/support/png';
import { SINGLE_FILE } from '../single-file';
import { sourceOf } from '../web/formats/source';
import type { Driver } from './driver';
import { moduleFor } from './engine-features';
import { ENGINES } from './engines';
import { ATTEMPTS, FOREIGN_CODE, serveForeignCode } from './foreign-code';
import { Playground, VIEWS } from './page';
import { ERROR_RECORDER, type Target } from './probe';
import { gifFrameDurations } from './saved-files';

// The page in one file, opened from the disk like by a double click. Expected values are from the notebook, or worked out beside them.

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'build/engines');
const LAYER = join(ROOT, 'tests/web/formats/made/layers/stride-groups.npz');

const opening = CASES.find(({ name }) => name.startsWith('4 ')) ?? CASES[0];
if (!opening) throw new Error('no notebook case');
const START = linkTo(opening);
/** x = 0 … 15; a convolution with the single weight 1 copies it; then ReLU and max pooling of 2 × 2. */
const NETWORK = '#h=4&kh=1&x=ramp&weights=ones&layer.2=relu&layer.3=max_pool;kernel:2&dy=ones&mode=network';
const zeros = (values: readonly number[]) => values.map(() => 0);
const dialog = (name: string) => ({ role: 'dialog', name, begins: true });

/** Everything that the page asked for, except what it has unpacked itself, and what its policy refused. */
const OUTSIDE = `[...performance.getEntriesByType('resource').map(({ name }) => name), ...troubles]
  .filter((name) => !/^(blob|data):/.test(name))`;
const RECORDER = `${ERROR_RECORDER}<script>
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    troubles.push('policy: ' + effectiveDirective + ' refused ' + blockedURI));
</script>`;

const POLICY = /<meta http-equiv="Content-Security-Policy"[^>]*>/;
const TRUSTED_TYPES = /require-trusted-types-for 'script'; trusted-types [^"]*/;
/** What runs under a part of the policy. */
const PARTS = [
  ['the policy', null, []],
  // Of a script that runs already, under the same policy. A policy cannot name blobs.
  ['the policy without Trusted Types, as in older browsers', TRUSTED_TYPES, ['a worker of a blob']],
  ['no policy', POLICY, ATTEMPTS],
] as const;

let html = '';
/** The address of the page with other scripts at its head, before the policy, which they must not pass, or with less. */
function written(name: string, scripts: string, without: RegExp | null = null): string {
  if (without && !without.test(html)) throw new Error(`the page has no ${without}`);
  const page = (without ? html.replace(without, '') : html).replace('<head>', () => `<head>${scripts}`);
  writeFileSync(join(FOLDER, name), page);
  return pathToFileURL(join(FOLDER, name)).href;
}

let address = '';
beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true });
  html = readFileSync(SINGLE_FILE, 'utf8');
  address = written('conv2d.html', RECORDER);
});

describe.each(ENGINES)('$name', ({ missing, start }) => {
  let driver: Driver;
  let page: Playground;
  beforeAll(async () => {
    if (missing) return;
    driver = await start();
    page = new Playground(driver, address);
    await driver.resize(1440, 900);
  });
  afterAll(() => driver?.close());
  /** The text of the panel or dialog, once it has these words. */
  const says = async (target: Target, words: string) => expect(await page.textOf(target, words)).toContain(words);
  const walk = (title: string, run: () => Promise<void>) =>
    it.skipIf(missing)(title, async () => {
      await run();
      expect(await driver.evaluate(OUTSIDE)).toEqual([]);
    });

  walk('opens, and runs the best module on one thread', async () => {
    await page.open();
    const { module, threads } = await page.status();
    expect({ module, threads }).toEqual({ module: moduleFor(await page.abilities()), threads: 1 });
  });

  walk('opens a link, and computes all passes', async () => {
    await page.open(START);
    for (const tensor of ['y', 'dx', 'dw'] as const)
      expect(await page.shows(tensor, opening[tensor])).toEqual(opening[tensor]);
  });

  walk('follows an edited cell, undo and an edited stride, and writes its link', async () => {
    const [first = Number.NaN, ...others] = opening.y;
    // x[0,0] is 0, and is read once, through w[1,1] = 8.
    await page.edit('x', 0, '100');
    const edited = [first + 8 * 100, ...others];
    expect(await page.shows('y', edited)).toEqual(edited);
    await page.press('Undo');
    expect(await page.shows('y', opening.y)).toEqual(opening.y);
    await page.setField('stride', '1');
    expect(await page.rows('y', 7)).toBe('7');
    await page.edit('w', 4, '-0.1');
    expect(await page.link('stride', ['weights'])).toMatch(/^file:/);
  });

  walk('keeps its link in a reload', async () => {
    const before = await page.everything();
    await driver.evaluate('(window.old = true, location.reload(), true)');
    await expect.poll(() => driver.evaluate('window.old === undefined').catch(() => false)).toBe(true);
    await page.ask('present', { role: 'grid', name: 'dx', begins: true });
    expect(await page.everything()).toEqual(before);
    expect(before.w[4]).toBe(Math.fround(-0.1));
  });

  walk('follows a slider', async () => {
    await page.open(START);
    // The left end is zero padding: case 3 of the notebook, y at its four inner windows.
    await page.slide('padding all sides', 0.02);
    expect(await page.fieldShows('padding all sides', '0')).toBe('0');
    expect(await page.rows('y', 3)).toBe('3');
  });

  walk('propagates a painted dy back', async () => {
    await page.open(START);
    await page.chooseDy('a single 1');
    await page.clickCell('dy', 5);
    // The window of dy[1,1] starts in row 1, column 1 of x and shows w in dx.
    const dx = zeros(opening.dx);
    for (let tap = 0; tap < 9; tap += 1) dx[(1 + Math.floor(tap / 3)) * 7 + 1 + (tap % 3)] = 12 - tap;
    expect(await page.shows('dx', dx)).toEqual(dx);
  });

  walk('opens every view', async () => {
    await page.open(START);
    for (const view of VIEWS) {
      await page.openView(view);
      await page.stageShows();
    }
  });

  walk('is operated by keyboard', async () => {
    await page.open(START);
    await page.explainsByKeyboard();
  });

  walk('steps through dx, dw and col2im', async () => {
    await page.open(START);
    for (const [view, way, tensor] of [
      ['dx', 'scatter', 'dx'],
      ['dw & db', 'window by window', 'dw'],
      ['im2col', '3 col2im', 'dx'],
    ] as const) {
      await page.openView(view);
      await page.chooseInView(way);
      await page.play('start');
      expect(await page.shows(tensor, zeros(opening[tensor]))).toEqual(zeros(opening[tensor]));
      await page.play('end');
      expect(await page.shows(tensor, opening[tensor])).toEqual(opening[tensor]);
    }
  });

  walk('checks gradients', async () => {
    await page.openView('Gradient check');
    await page.chooseInView('dw');
    const largest = opening.dw.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most));
    expect(await page.checkedGradient('dw')).toEqual([largest, largest]);
  });

  walk('computes a network with ReLU, forward and back', async () => {
    await page.open(NETWORK);
    expect(await page.shows('y3', [5, 7, 13, 15])).toEqual([5, 7, 13, 15]);
    const won = [0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1];
    expect(await page.shows('dy2', won)).toEqual(won);
  });

  walk('opens a lesson, names a mistake, and accepts the answer', async () => {
    await page.open('#lesson=gather.1');
    const lesson = { role: 'region', name: 'Lesson', begins: true };
    // 1·9 + 2·8 + 3·6 + 4·5: the weights of the opposite corner.
    await page.answer('63');
    await says(lesson, 'Weight of the opposite corner');
    await page.answer('37');
    await says(lesson, '37 is correct.');
  });

  walk('draws an exercise', async () => {
    await page.open('#lesson=forward-sums.1');
    await page.ask('present', { role: 'region', name: 'Exercises: Forward sums' });
  });

  walk('imports pasted text', async () => {
    await page.open(START);
    await page.ask('paste', 'x = tensor([[1., 2., 3.], [4., 5., 6.], [7., 8., 9.]])\nw = [[1, 0], [0, -1]]');
    // The button is at its place once both are read.
    const sheet = dialog('Import pasted values');
    await says(sheet, 'First values: 1, 2, 3, 4');
    await says(sheet, 'First values: 1, 0, 0');
    await page.press('Import x, w');
    // Stride 2, padding 1: windows begin at -1 and 1. Each y is the first cell of its window minus the last.
    expect(await page.shows('y', [-1, -3, -7, 5 - 9])).toEqual([-1, -3, -7, 5 - 9]);
  });

  walk('judges the arrays of a layer', async () => {
    await page.ask('drop', 'layer.npz', '', [...readFileSync(LAYER)]);
    await says(dialog(''), 'All 4 results are right.');
    await driver.press('Escape');
  });

  walk('opens an image', async () => {
    await page.open(START);
    await page.ask('drop', 'wider.png', 'image/png', [...encodePng(10, 6, () => [0, 0, 0])]);
    expect(await page.fieldShows('width', '10')).toBe('10');
  });

  walk('saves arrays for NumPy, a picture and an animation', async () => {
    await page.open(START);
    await page.openView('dx');
    await page.chooseInView('scatter');
    await page.play('end');
    await page.press('Copy or save arrays');
    const saved = await openFile(sourceOf('conv2d.npz', await page.saved('Save all as .npz', 'Copy or save arrays')));
    if ('refusal' in saved) throw new Error(saved.refusal.reason);
    const dx = await saved.tensors.find(({ name }) => name === 'dx')?.read();
    expect(dx && 'values' in dx && [...dx.values]).toEqual(opening.dx);
    await driver.press('Escape');
    await driver.press('p');
    const svg = (await page.saved('Save SVG')).toString('utf8');
    for (const value of opening.dx) expect(svg).toContain(`>${value}</text>`);
    await page.chooseTab('Animation');
    expect(gifFrameDurations(await page.saved('Save GIF'))).toEqual([...opening.y.map(() => 500), 2000]);
  });

  walk('embeds itself, and says so on the disk', async () => {
    await page.chooseTab('Embed');
    await says(dialog('Export'), 'This page is on your own machine: other people cannot open the frame.');
    await driver.press('Escape');
    await driver.open(`${address}?embed=board${START}`);
    expect(await page.shows('y', opening.y)).toEqual(opening.y);
    expect(await driver.evaluate(`document.querySelector('.stage.embed') !== null`)).toBe(true);
  });

  walk('computes a large problem on one thread, without a word', async () => {
    // 42 million multiply-adds per pass.
    await page.open('#h=96&w=96&kh=3&kw=3&c=16&k=32&x=ramp&weights=countdown:9');
    expect((await page.status()).threads).toBe(1);
    expect(await driver.evaluate(`document.querySelector('main [role=alert]')?.textContent ?? ''`)).toBe('');
  });

  walk('says in About what one file cannot do', async () => {
    await page.open();
    await page.chooseFrom('More', 'About');
    await says(dialog('About'), 'This page is one file: it requests nothing and works without a network.');
    expect(await page.textOf(dialog('About'), 'one thread')).not.toContain('may store nothing');
  });

  it.skipIf(missing).each(PARTS)('with %s, foreign code does what is expected', async (_, without, expected) => {
    const server = await serveForeignCode();
    await driver.open(written('foreign.html', FOREIGN_CODE, without));
    await page.ask('present', { role: 'grid', name: 'dx', begins: true });
    // By a timer: what a driver runs may evaluate texts under any policy.
    const tries = `tryForeignCode(${JSON.stringify(server.url)}, ${JSON.stringify(expected)}).then(resolve)`;
    expect(await driver.evaluate(`new Promise((resolve) => setTimeout(() => ${tries}))`)).toEqual(expected);
    server.close();
  });
});
