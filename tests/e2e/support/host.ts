import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Stage } from './browser';

/** A page of another site with playgrounds in frames. */
export interface Framing {
  readonly page: Page;
  /** Uncaught errors, console errors and policy violations, in any frame. Must stay empty. */
  readonly troubles: readonly string[];
}

interface ReportingWindow {
  readonly reportViolation: (violation: string) => void;
}

/** Opens it and records errors. */
export async function openHost(
  { newContext }: Stage,
  address: string,
  options: BrowserContextOptions = {},
  before: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<Framing> {
  const context = await newContext({
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
  await page.exposeFunction('reportViolation', (violation: string) => troubles.push(`policy: ${violation}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      (window as unknown as ReportingWindow).reportViolation(`${effectiveDirective} refused ${blockedURI} ${sample}`),
    );
  });
  await before(page);
  await page.goto(address);
  return { page, troubles };
}
