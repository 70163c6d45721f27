import type { CDPSession, Page } from 'playwright-core';
import { IS_THROTTLED } from './conditions';

export interface PooledPage {
  readonly page: Page;
  /** The address of its site. */
  readonly site: string;
  /** What went wrong while it was open. */
  readonly troubles: string[];
}

/**
 * Pages that tests closed and that can be opened again: a new browser context takes three times as long as a page load. Nothing of
 * the earlier test is left: storage, history, pointer. A page that a test changed otherwise is closed.
 */
export interface PagePool {
  /** A page with the key, or the one that `open` makes. */
  readonly take: (key: string, open: () => Promise<PooledPage>) => Promise<PooledPage>;
}

/** After these calls, a page or its context differs from a new one. */
const CHANGES_OF_PAGE = [
  'addInitScript',
  'emulateMedia',
  'exposeBinding',
  'exposeFunction',
  'on',
  'pause',
  'route',
  'setViewportSize',
] as const satisfies readonly (keyof Page)[];
const CHANGES_OF_CLOCK = ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'];
const CHANGES_OF_CONTEXT = ['addInitScript', 'grantPermissions', 'newCDPSession', 'newPage', 'route', 'setOffline'];

export function createPagePool(): PagePool {
  const free = new Map<string, { readonly opened: PooledPage; readonly session: CDPSession }[]>();
  return {
    async take(key, open) {
      const known = free.get(key)?.pop();
      if (known) {
        known.opened.troubles.length = 0;
        return known.opened;
      }
      const opened = await open();
      const context = opened.page.context();
      const session = await context.newCDPSession(opened.page);
      let isChanged = false;
      const onChange = () => {
        isChanged = true;
      };
      notice(opened.page, CHANGES_OF_PAGE, onChange);
      notice(opened.page.clock, CHANGES_OF_CLOCK, onChange);
      notice(context, CHANGES_OF_CONTEXT, onChange);
      const close = context.close.bind(context);
      context.close = async (options) => {
        if (isChanged || IS_THROTTLED || opened.page.isClosed() || context.pages().length > 1) return close(options);
        await clear(opened, session);
        free.set(key, [...(free.get(key) ?? []), { opened, session }]);
      };
      return opened;
    },
  };
}

/** Calls `onCall` when one of these methods is called. */
function notice(target: object, methods: readonly string[], onCall: () => void): void {
  for (const name of methods) {
    const method: (...args: unknown[]) => unknown = Reflect.get(target, name).bind(target);
    Reflect.set(target, name, (...args: unknown[]) => {
      onCall();
      return method(...args);
    });
  }
}

async function clear({ page, site, troubles }: PooledPage, session: CDPSession): Promise<void> {
  const found = [...troubles];
  // An empty document of the site; see site.ts. The page stores its state when it is left, so clearing comes after.
  await page.goto(`${site}empty`);
  await page.evaluate(() => {
    sessionStorage.clear();
    localStorage.clear();
  });
  await session.send('Storage.clearDataForOrigin', { origin: new URL(site).origin, storageTypes: 'all' });
  await session.send('Page.resetNavigationHistory');
  await page.mouse.move(-1, -1);
  // Requests that leaving the page ended are no trouble.
  troubles.splice(0, troubles.length, ...found);
}
