// The tarball in a page outside this project, built by Vite with default settings: on the main thread and in workers,
// one of them the example of docs/javascript.md.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUIET } from '../e2e/support/browser';
import { type Serving, serveSite } from '../e2e/support/site';
import { ROOT, runIn } from './build';
import { EXPECTED_OUTPUT, makeProject, type Project } from './project';

const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');
let project: Project;
let browser: Browser;
let output: string;

beforeAll(async () => {
  const executablePath = process.env['CHROME_PATH'];
  if (!executablePath) throw new Error('CHROME_PATH must name a Chromium; `npm test` sets it');
  project = await makeProject('tests/package/browser');
  copyFileSync(join(ROOT, 'tests/package/javascript/layer.mjs'), join(project.folder, 'layer.mjs'));
  [output, browser] = await Promise.all([
    // Warnings use a different channel than other messages, and some are suppressed in tests.
    runIn(project.folder, 'sh', '-c', `env -u VITEST -u NODE_ENV "${process.execPath}" "${VITE}" build --base ./ 2>&1`),
    chromium.launch({ executablePath, args: [...QUIET] }),
  ]);
});
afterAll(async () => {
  await browser.close();
  project.remove();
});

/** All ones: 9 taps of 64 channels; those times 9 taps of 128 filters. */
const VALUES = `${9 * 64}, ${9 * 64 * 9 * 128}; invalid_stride of stride`;

interface Visit {
  readonly text: string;
  /** The output of the example of docs/javascript.md in a worker. */
  readonly printed: readonly string[];
  /** Errors of the page. */
  readonly troubles: readonly string[];
}

/** The output of the page after computing on two threads, if available. */
async function visit(serving: Serving): Promise<Visit> {
  const site = await serveSite({ root: join(project.folder, 'dist'), ...serving });
  const page = await browser.newPage();
  const troubles: string[] = [];
  page.on('pageerror', ({ message }) => troubles.push(message));
  const printed: string[] = [];
  page.on('console', (message) => printed.push(message.text()));
  const last = page.waitForEvent('console', (message) => message.text().startsWith('invalid_stride'));
  try {
    await page.goto(`${site.url}?threads=2`);
    await Promise.all([page.getByText('worker: ').waitFor(), last]);
    return { text: (await page.textContent('body')) ?? '', printed, troubles };
  } finally {
    await page.close();
    await site.close();
  }
}

const expected = (build: string): Visit => ({
  text: `page: ${build}: ${VALUES}\nworker: ${build}: ${VALUES}`,
  printed: EXPECTED_OUTPUT,
  troubles: [],
});

describe('in a browser, the package', () => {
  it('is bundled without a warning', () => {
    expect(output).toContain('built in');
    expect(output).not.toMatch(/\[plugin(?!_timings)|warn|externalized/i);
  });

  it('computes on one thread on any page', async () => {
    expect(await visit({})).toEqual(expected('relaxed on 1'));
  });

  it('computes on two threads on a cross-origin isolated page', async () => {
    expect(await visit({ isolated: true })).toEqual(expected('threads on 2'));
  });

  it('falls back to one thread if the threads do not start', async () => {
    let requests = 0;
    const patch = (file: string, body: Buffer) => {
      if (!/conv2d-threads.*\.mjs$/.test(file)) return body;
      requests += 1;
      return requests === 1 ? body : Buffer.from('no module');
    };
    expect(await visit({ isolated: true, patch })).toEqual(expected('relaxed on 1'));
    expect(requests).toBeGreaterThan(1);
  });
});
