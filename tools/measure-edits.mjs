// npm run measure: from a keystroke or a slider's move to the painted frame, in the built site and headless Chromium.
// Prints median and 95th percentile of 50 changes each, at 32 x 32 x 8 -> 8 filters of 3 x 3, all passes.

import { join } from 'node:path';
import { findBrowser } from './setup/browser.mjs';
import { projectRoot } from './setup/paths.mjs';
import { runMain, say } from './setup/report.mjs';

const PROBLEM = '#h=32&w=32&c=8&k=8&kernel=3&padding=same&x=random:1&weights=random:2&dy=random:3';
const CHANGES = 50;
const PAUSE = 150;

/**
 * Runs in the page. A change begins with its event; it is to be seen at the end of the frame in which the maps of y and
 * of dx have both been drawn from pixels that were made after that.
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
      const map = [...change.missing].find((panel) => this.canvas.closest(`${panel} .panel__frame`));
      if (change.missing.delete(map) && change.missing.size === 0) painted(change);
    }
    return drawImage.call(this, source, ...args);
  };
  /** A task that is posted in a frame's callbacks runs after that frame was painted. */
  function painted({ started, done }) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now() - started);
    requestAnimationFrame(() => port2.postMessage(null));
  }
}

/** Types a number into w[1,1]: the time is that of the Enter that commits it. */
async function typeNumber(page, i) {
  await page.getByRole('grid', { name: 'w[c=0, k=0]', exact: true }).getByRole('gridcell').nth(4).focus();
  await page.keyboard.type(String((i % 9) + 4));
  await page.keyboard.press('Enter');
}

/** Moves the slider of w's dilation: all of y, dx and dw change, and the sizes stay. */
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

await runMain(async () => {
  const { preview } = await import('vite');
  const { chromium } = await import('playwright-core');
  const server = await preview({
    configFile: join(projectRoot, 'web/vite.config.ts'),
    preview: { port: 0, host: '127.0.0.1' },
  });
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  // What is kept for use without network is fetched behind the first edits otherwise.
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
  await page.addInitScript(watchPaints);
  await page.goto(server.resolvedUrls.local[0] + PROBLEM);
  await page.getByRole('grid', { name: 'dx[n=0, c=0]', exact: true }).waitFor();
  for (const [name, change] of [
    ['keystroke', typeNumber],
    ['slider', moveSlider],
  ]) {
    const times = [];
    for (let i = 0; i < CHANGES; i += 1) {
      await page.evaluate(() => {
        window.picture = window.nextPicture();
      });
      await change(page, i);
      times.push(await page.evaluate(() => window.picture));
      // What follows the picture (the link, the cell under the keyboard) is not to disturb the next one.
      await page.waitForTimeout(PAUSE);
    }
    say(`${name} to painted frame: ${summary(times)}`);
  }
  await browser.close();
  await server.close();
  return 0;
});
