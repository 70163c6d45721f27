// npm run measure: the time from a keystroke or a slider move to the painted frame, in the built site and headless
// Chromium: median and 95th percentile of 50 changes each, all passes, with the opening problem and with 32 x 32 x 8 ->
// 8 filters of 3 x 3. Then drags the size slider of a photograph for 2 s: results painted and workers created. npm run
// measure -- FOLDER: alternates with another built site, for ratios on a busy machine.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findBrowser } from './setup/browser.mjs';
import { buildModules, buildSite } from './setup/cmake-build.mjs';
import { projectRoot } from './setup/paths.mjs';
import { runMain, SetupError, say } from './setup/report.mjs';
import { setUp } from './setup.mjs';

const PROBLEMS = [
  { name: 'the opening problem', hash: '', w: 'w', dx: 'dx' },
  {
    name: '32 x 32 x 8 -> 8',
    hash: '#h=32&w=32&c=8&k=8&kernel=3&padding=same&x=random:1&weights=random:2&dy=random:3',
    w: 'w[c=0, k=0]',
    dx: 'dx[n=0, c=0]',
  },
];
const DRAGGED = '#h=512&w=512&c=3&k=3&kh=3&padding=same&x=sample:landscape&weights=filter:blur';
const DRAG = 2000;
const CHANGES = 50;
const PAUSE = 150;

/**
 * Runs in the page. A change starts with its event. It ends with the frame in which both y and dx show new numbers, or
 * maps drawn from pixels made after the event.
 */
function watchPaints() {
  const made = new WeakMap();
  let change = { started: 0, missing: new Set(), done: () => undefined };
  window.nextPicture = () =>
    new Promise((done) => {
      change = { started: Number.POSITIVE_INFINITY, missing: new Set(['.panel--y', '.panel--dx']), done };
    });
  const begin = ({ timeStamp }) => {
    change.started = timeStamp;
  };
  addEventListener('keydown', (event) => event.key === 'Enter' && begin(event), true);
  addEventListener('input', (event) => event.target.type === 'range' && begin(event), true);

  const { putImageData } = OffscreenCanvasRenderingContext2D.prototype;
  OffscreenCanvasRenderingContext2D.prototype.putImageData = function (...args) {
    made.set(this.canvas, performance.now());
    return putImageData.apply(this, args);
  };
  const { drawImage } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.drawImage = function (source, ...args) {
    if (made.get(source) > change.started) {
      changed(this.canvas);
    }
    return drawImage.call(this, source, ...args);
  };
  const observer = new MutationObserver((records) => {
    if (change.started < performance.now()) for (const { target } of records) changed(target.parentElement ?? target);
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true });
  function changed(element) {
    const panel = [...change.missing].find((each) => element.closest?.(`${each} .panel__frame`));
    if (change.missing.delete(panel) && change.missing.size === 0) painted(change);
  }
  /** A task posted in an animation frame callback runs after that frame is painted. */
  function painted({ started, done }) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now() - started);
    requestAnimationFrame(() => port2.postMessage(null));
  }
}

/**
 * Milliseconds between two keys of a person. After a key, Chromium delays worker messages until the frame is shown:
 * without a pause, an Enter would be timed with the frame of the digit.
 */
const BETWEEN_KEYS = 60;

/** Types a number into w[1,1]. The time starts at the Enter that commits it. */
async function typeNumber(page, i, { w }) {
  await page.getByRole('grid', { name: w, exact: true }).getByRole('gridcell').nth(4).focus();
  await page.keyboard.type(String((i % 9) + 4));
  await page.waitForTimeout(BETWEEN_KEYS);
  await page.keyboard.press('Enter');
}

/** Moves the slider of the dilation of w: all of y, dx and dw change. */
const moveSlider = (page, i) =>
  page.evaluate(
    (value) => {
      const label = [...document.querySelectorAll('.number-field')].find((field) => /dilation/.test(field.textContent));
      const slider = label?.querySelector('input[type=range]');
      slider.value = String(value);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    },
    (i % 2) + 1 === 1 ? 2 : 1,
  );

function summary(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  return `median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, ${times.length} changes`;
}

/**
 * Runs in the page: moves the height slider once per frame, and counts the sizes of y that appear and the workers
 * created.
 */
async function drag(duration) {
  const field = [...document.querySelectorAll('.number-field')].find(({ textContent }) => textContent === 'height');
  const slider = field.querySelector('input[type=range]');
  const before = window.workers;
  const sizes = new Set();
  const size = () => document.querySelector('.panel--y .figure__size').textContent;
  const first = size();
  for (const end = performance.now() + duration; performance.now() < end; ) {
    slider.value = String(slider.value - 1);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise(requestAnimationFrame);
    if (size() !== first) sizes.add(size());
  }
  return { painted: sizes.size, made: window.workers - before };
}

/** Runs in the page: all sections of the controls are open, and the opening is not shown in motion. */
function secondVisit() {
  localStorage.setItem('sections', 'moves x w dy');
  localStorage.setItem('opening', 'seen');
}

function countWorkers() {
  window.workers = 0;
  window.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      window.workers += 1;
    }
  };
}

async function measureChanges(pages, problem) {
  for (const [name, change] of [
    ['keystroke', typeNumber],
    ['slider', moveSlider],
  ]) {
    const times = pages.map(() => []);
    for (let i = 0; i < CHANGES; i += 1) {
      for (const [at, { page }] of pages.entries()) {
        await page.bringToFront();
        await page.evaluate(() => {
          window.picture = window.nextPicture();
        });
        await change(page, i, problem);
        times[at].push(await page.evaluate(() => window.picture));
        // Work after the frame (the link, the focused cell) must not affect the next change.
        await page.waitForTimeout(PAUSE);
      }
    }
    for (const [at, { site }] of pages.entries()) {
      say(`${problem.name}${site}: ${name} to painted frame: ${summary(times[at])}`);
    }
  }
}

/** Builds the site if it is missing: a measured site need not be that of the sources. */
async function prepare(folders) {
  const [own, ...others] = folders;
  const missing = others.find((folder) => !isSite(folder));
  if (missing) throw new SetupError(`${missing} has no built site`, 'npm run measure -- FOLDER');
  if (isSite(own)) return setUp({ browser: true });
  await buildModules(await setUp({ wasm: true, browser: true }));
  return buildSite();
}

const isSite = (folder) => existsSync(join(folder, 'index.html'));

await runMain(async () => {
  const folders = [join(projectRoot, 'web/dist'), ...process.argv.slice(2).map((folder) => resolve(folder))];
  await prepare(folders);
  const { preview } = await import('vite');
  const { chromium } = await import('playwright-core');
  const servers = await Promise.all(
    folders.map((outDir) =>
      preview({
        configFile: join(projectRoot, 'web/vite.config.ts'),
        build: { outDir },
        preview: { port: 0, host: '127.0.0.1' },
      }),
    ),
  );
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  const open = (hash, script) =>
    Promise.all(
      servers.map(async (server, at) => {
        // Without the block, the service worker would download files during the first edits.
        const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
        await page.addInitScript(script);
        await page.addInitScript(secondVisit);
        await page.goto(server.resolvedUrls.local[0] + hash);
        return { page, site: folders.length > 1 ? ` (${folders[at]})` : '' };
      }),
    );
  const close = (pages) => Promise.all(pages.map(({ page }) => page.close()));
  for (const problem of PROBLEMS) {
    const pages = await open(problem.hash, watchPaints);
    for (const { page } of pages) await page.getByRole('grid', { name: problem.dx, exact: true }).waitFor();
    await measureChanges(pages, problem);
    await close(pages);
  }
  const pages = await open(DRAGGED, countWorkers);
  for (const { page, site } of pages) {
    await page.bringToFront();
    await page.locator('.panel--y .figure__size', { hasText: '512 × 512' }).waitFor();
    await page.locator('.number-field input[type=range]').first().waitFor();
    const { painted, made } = await page.evaluate(drag, DRAG);
    say(`a drag of ${DRAG / 1000} s at 512 x 512 x 3${site}: ${painted} results painted, ${made} workers created`);
  }
  await close(pages);
  await browser.close();
  await Promise.all(servers.map((server) => server.close()));
  return 0;
});
