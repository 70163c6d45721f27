import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Stage } from './browser';

/** A page of another site with playgrounds in its frames. */
export interface Framing {
  readonly page: Page;
  /** Uncaught errors, console errors and violations of a policy, in whichever frame. Must stay empty. */
  readonly troubles: readonly string[];
}

interface TellWindow {
  readonly tellViolation: (violation: string) => void;
}

/** Opens it, with an eye on what goes wrong behind the scenes. */
export async function openHost(
  { browser }: Stage,
  address: string,
  options: BrowserContextOptions = {},
  before: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<Framing> {
  const context = await browser.newContext({
    viewport: { width: 1300, height: 900 },
    serviceWorkers: 'block',
    ...options,
  });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/favicon/.test(message.location().url))
      troubles.push(`console: ${message.text()}`);
  });
  await page.exposeFunction('tellViolation', (violation: string) => troubles.push(`policy: ${violation}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      (window as unknown as TellWindow).tellViolation(`${effectiveDirective} refused ${blockedURI} ${sample}`),
    );
  });
  await before(page);
  await page.goto(address);
  return { page, troubles };
}
