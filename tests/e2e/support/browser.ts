import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { IS_THROTTLED, THROTTLING } from './conditions';
import { createPagePool, type PagePool } from './page-pool';
import { type Serving, type Site, serveSite } from './site';

/** Prevents background requests of Chromium at every start. */
export const QUIET: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The built site, and a browser to open it in. */
export interface Stage {
  /** Shared by all files of a test worker, which run one after the other. */
  readonly browser: Browser;
  readonly site: Site;
  /** Closed with the stage. */
  readonly newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** Pages that tests closed, for the next that want the same. */
  readonly pool: PagePool;
  readonly close: () => Promise<void>;
}

/** Milliseconds for an event that does not come. As long as that of `expect.poll` (tests/vitest.config.ts). */
export const WAITING_LIMIT = 180_000;

let shared: Promise<Browser> | null = null;
/** The built site without faults, and pages of it: for all files of a test worker that need no other. */
let plain: Promise<{ readonly site: Site; readonly pool: PagePool }> | null = null;

/** The browser ends with the process of the worker. */
async function sharedBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROME_PATH'];
  if (!executablePath) throw new Error('CHROME_PATH must name a Chromium; `npm test` sets it');
  const running = await shared;
  if (!running?.isConnected()) shared = chromium.launch({ executablePath, args: [...QUIET], timeout: WAITING_LIMIT });
  return (await shared) as Browser;
}

/** A server with its pages. */
const openSite = async (serving: Serving) => ({ site: await serveSite(serving), pool: createPagePool() });

export async function openStage(serving?: Serving): Promise<Stage> {
  plain ??= openSite({});
  const [browser, { site, pool }] = await Promise.all([sharedBrowser(), serving ? openSite(serving) : plain]);
  const contexts: BrowserContext[] = [];
  return {
    browser,
    site,
    pool,
    async newContext(options) {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(WAITING_LIMIT);
      if (IS_THROTTLED) context.on('page', (page) => void throttle(page));
      contexts.push(context);
      return context;
    },
    async close() {
      if (serving || IS_THROTTLED) await Promise.all(contexts.map((context) => context.close()));
      if (serving) await site.close();
    },
  };
}

/** A test may close a page before it is throttled. */
async function throttle(page: Page): Promise<void> {
  try {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLING });
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('has been closed'))) throw error;
  }
}

/** A stage for the tests of a file or of a group. `serving`: a server of its own, which a test can change. */
export function useStage(serving?: Serving): Stage {
  let opened: Stage | null = null;
  const stage = (): Stage => {
    if (!opened) throw new Error('the stage opens before the first test');
    return opened;
  };
  beforeAll(async () => {
    opened = await openStage(serving);
  });
  afterAll(() => opened?.close());
  return {
    get browser() {
      return stage().browser;
    },
    get site() {
      return stage().site;
    },
    get pool() {
      return stage().pool;
    },
    newContext: (options) => stage().newContext(options),
    close: () => stage().close(),
  };
}

/** A fresh page that fails its test on errors. */
export interface OpenPage {
  readonly page: Page;
  /** Uncaught errors, console errors, policy violations, requests to other servers. Must stay empty. */
  readonly troubles: readonly string[];
}

interface ReportingWindow {
  readonly reportViolation: (violation: string) => void;
}

/** Case 4 of the notebook: padding, stride and all gradients in integers. */
export const NOTEBOOK_4 = '#h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12';

/** The default problem of the page. */
export const NO_LINK = '';

/** What the browser remembers of earlier visits: the open sections of the controls, and that the opening was shown. */
function rememberVisit(sections: string): void {
  try {
    localStorage['sections'] ??= sections;
    localStorage['opening'] = 'seen';
  } catch {
    // A frame without storage.
  }
}

/**
 * Opens the site in an empty browser. A page that an earlier test closed is opened again if it was opened with the same options
 * and not changed since.
 */
export async function openPage(
  { newContext, pool, site }: Stage,
  options: BrowserContextOptions = {},
  hash = NOTEBOOK_4,
  /** Sections of the controls that this browser has open; null: a first visit. */
  sections: string | null = 'moves x w dy',
): Promise<OpenPage> {
  const { page, troubles } = await pool.take(JSON.stringify([options, sections]), async () => {
    const context = await newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block', ...options });
    if (sections !== null) await context.addInitScript(rememberVisit, sections);
    const page = await context.newPage();
    return { page, site: site.url, troubles: await watchTroubles(page, site) };
  });
  await page.goto(site.url + hash);
  return { page, troubles };
}

/** A list that grows with each trouble of the page. */
async function watchTroubles(page: Page, site: Site): Promise<string[]> {
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(site.url) && !url.startsWith('blob:') && !url.startsWith('data:'))
      troubles.push(`request: ${url}`);
  });
  await page.exposeFunction('reportViolation', (violation: string) => troubles.push(`policy: ${violation}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      (window as unknown as ReportingWindow).reportViolation(`${effectiveDirective} refused ${blockedURI} ${sample}`),
    );
  });
  return troubles;
}
