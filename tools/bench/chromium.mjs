// One run of a benchmark page in headless Chromium.

import { cpus } from 'node:os';
import { findBrowser } from '../setup/browser.mjs';
import { SetupError, step } from '../setup/report.mjs';
import { buildPage, servePage } from './page-server.mjs';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Chromium would throttle a background tab.
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
];

/** The page checks the values of the options; its error becomes a SetupError. */
function throwOptionError(error) {
  const [, what, fix] = /Error: (--.*?)\. (Choose from .*)\./.exec(error.message) ?? [];
  throw what ? new SetupError(what, fix) : error;
}

/** Races the parties of `page` ('ours' or 'peers') and resolves with a BenchResult (web/bench/src/result.ts). */
export async function raceInChromium(page, options, endToEnd) {
  const { threads } = options;
  await step(`building the benchmark page`, () => buildPage(page));
  const { chromium } = await import('playwright-core');
  const server = await servePage(page);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: FLAGS });
  try {
    const tab = await browser.newPage();
    const web = await step(`racing in Chromium ${browser.version()}`, async (progress) => {
      const crashed = new Promise((_, reject) => {
        tab.on('crash', () => reject(new Error('the page crashed')));
      });
      await tab.exposeFunction('showProgress', progress);
      await tab.goto(server.address);
      await tab.waitForFunction(() => window.runBench !== undefined);
      const given = { ...options, threads: threads[0], ourThreads: threads, endToEnd };
      return Promise.race([crashed, tab.evaluate((wanted) => window.runBench(wanted), given).catch(throwOptionError)]);
    });
    return {
      where: 'chromium',
      date: new Date().toISOString(),
      machine: cpus()[0]?.model ?? 'unknown',
      engine: `Chromium ${browser.version()}`,
      threads: threads[0],
      rounds: options.rounds,
      ...web,
    };
  } finally {
    await browser.close();
    await server.close();
  }
}
