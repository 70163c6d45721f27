// The tarball in a page of somebody else, built by Vite without any setting: on the main thread and in a worker.

import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUIET } from '../e2e/support/browser';
import { type Serving, serveSite } from '../e2e/support/site';
import { ROOT, runIn } from './build';
import { makeProject, type Project } from './project';

const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');
let project: Project;
let browser: Browser;
let said: string;

beforeAll(async () => {
  const executablePath = process.env['CHROME_PATH'];
  if (!executablePath) throw new Error('CHROME_PATH must name a Chromium; `npm test` sets it');
  project = await makeProject('tests/package/browser');
  [said, browser] = await Promise.all([
    // Warnings go another way than what else it says, and within a test some are kept back.
    runIn(project.folder, 'sh', '-c', `env -u VITEST -u NODE_ENV "${process.execPath}" "${VITE}" build --base ./ 2>&1`),
    chromium.launch({ executablePath, args: [...QUIET] }),
  ]);
});
afterAll(async () => {
  await browser.close();
  project.remove();
});

/** Of ones: 9 taps of 64 channels; those times 9 taps of 128 filters. */
const VALUES = `${9 * 64}, ${9 * 64 * 9 * 128}; invalid_stride of stride_h`;

/** What the page says of what it computed on two threads, if there may be two; and what went wrong behind the scenes. */
async function visit(serving: Serving): Promise<{ text: string; troubles: string[] }> {
  const site = await serveSite({ root: join(project.folder, 'dist'), ...serving });
  const page = await browser.newPage();
  const troubles: string[] = [];
  page.on('pageerror', ({ message }) => troubles.push(message));
  try {
    await page.goto(`${site.url}?threads=2`);
    await page.getByText('worker: ').waitFor();
    return { text: (await page.textContent('body')) ?? '', troubles };
  } finally {
    await page.close();
    await site.close();
  }
}

const expected = (build: string) => ({ text: `page: ${build}: ${VALUES}\nworker: ${build}: ${VALUES}`, troubles: [] });

describe('in a browser, the package', () => {
  it('is bundled without a warning', () => {
    expect(said).toContain('built in');
    expect(said).not.toMatch(/\[plugin|warn|externalized/i);
  });

  it('computes on one thread on any page', async () => {
    expect(await visit({})).toEqual(expected('relaxed on 1'));
  });

  it('computes on two threads where the page is isolated', async () => {
    expect(await visit({ isolated: true })).toEqual(expected('threads on 2'));
  });

  it('computes on one where the threads do not start', async () => {
    let asked = 0;
    const patch = (file: string, body: Buffer) => {
      if (!/conv2d-threads.*\.mjs$/.test(file)) return body;
      asked += 1;
      return asked === 1 ? body : Buffer.from('no module');
    };
    expect(await visit({ isolated: true, patch })).toEqual(expected('relaxed on 1'));
    expect(asked).toBeGreaterThan(1);
  });
});
