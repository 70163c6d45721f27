import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { type Serving, type Site, serveSite } from './site';

/** Without these, Chromium calls home at every start. */
export const QUIET: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The built site and a browser to look at it with. */
export interface Stage {
  readonly browser: Browser;
  readonly site: Site;
}

export async function openStage(serving: Serving = {}): Promise<Stage> {
  const executablePath = process.env['CHROME_PATH'];
  if (!executablePath) throw new Error('CHROME_PATH must name a Chromium; `npm test` sets it');
  const [browser, site] = await Promise.all([
    chromium.launch({ executablePath, args: [...QUIET] }),
    serveSite(serving),
  ]);
  return { browser, site };
}

export async function closeStage({ browser, site }: Stage): Promise<void> {
  await browser.close();
  await site.close();
}

/** A fresh page that fails the test that uses it when something goes wrong behind the scenes. */
export interface OpenPage {
  readonly page: Page;
  /** Uncaught errors, console errors, violations of the policy, requests to anywhere but the site. Must stay empty. */
  readonly troubles: readonly string[];
}

interface TellWindow {
  readonly tellViolation: (violation: string) => void;
}

/** Case 4 of the notebook: padding, stride and all gradients in whole numbers. */
export const NOTEBOOK_4 = '#h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12';

/** What everybody sees who follows no link. */
export const NO_LINK = '';

export async function openPage(
  { browser, site }: Stage,
  options: BrowserContextOptions = {},
  hash = NOTEBOOK_4,
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
    ...options,
  });
  const page = await context.newPage();
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
  await page.exposeFunction('tellViolation', (violation: string) => troubles.push(`policy: ${violation}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      (window as unknown as TellWindow).tellViolation(`${effectiveDirective} refused ${blockedURI} ${sample}`),
    );
  });
  await page.goto(site.url + hash);
  return { page, troubles };
}
