import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { THOROUGH } from '../thorough';
import { type OpenPage, openPage, useStage } from './support/browser';
import { computed, grid, setField } from './support/grids';
import { MODES, openMode } from './support/modes';
import { encodePng } from './support/png';

interface TrustedWindow {
  readonly trustedTypes: { createPolicy(name: string, rules: object): unknown };
}

/** No server: a blocked request never leaves the browser. */
const AWAY = 'http://localhost:65001/';

const put = (tag: string, attributes: Readonly<Record<string, string>>) => ({ tag, attributes });

/** Elements that an attacker may inject, with the directive that blocks each. */
const ELEMENTS = [
  ['img-src', put('img', { src: `${AWAY}a.png` })],
  ['img-src', put('img', { src: 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==' })],
  ['style-src-elem', put('link', { rel: 'stylesheet', href: `${AWAY}a.css` })],
  ['style-src-attr', put('p', { style: 'color: red' })],
  ['script-src-elem', put('link', { rel: 'modulepreload', href: `${AWAY}a.js` })],
  ['frame-src', put('iframe', { src: AWAY })],
  ['media-src', put('audio', { src: `${AWAY}a.ogg` })],
  ['base-uri', put('base', { href: AWAY })],
  ['require-trusted-types-for', put('p', { onclick: 'document.title = "intruded"' })],
] as const;

const tried = (act: () => unknown) => act;
/** Actions that an injected script may try. */
const ACTS = [
  ['connect-src', 'ask another site', tried(() => fetch('http://localhost:65001/').catch(() => undefined))],
  [
    'style-src-elem',
    'write a style sheet',
    tried(() =>
      document.head.append(Object.assign(document.createElement('style'), { textContent: 'p { color: red }' })),
    ),
  ],
  ['form-action', 'send a form', tried(() => document.body.appendChild(document.createElement('form')).submit())],
  [
    'require-trusted-types-for',
    'write markup',
    tried(() => {
      document.body.innerHTML = '<b>intruded</b>';
    }),
  ],
  ['require-trusted-types-for', 'start a worker from a text', tried(() => new Worker('./assets/any.js'))],
  [
    'require-trusted-types-for',
    'start a service worker from a text',
    tried(() => navigator.serviceWorker.register('./any.js')),
  ],
  ['require-trusted-types-for', 'run a text', tried(() => setTimeout('document.title = "intruded"'))],
  [
    'trusted-types',
    'make a policy',
    tried(() => (window as unknown as TrustedWindow).trustedTypes.createPolicy('other', {})),
  ],
  [
    'trusted-types',
    'make the policy again',
    tried(() => (window as unknown as TrustedWindow).trustedTypes.createPolicy('conv2d-worker', {})),
  ],
] as const;

const bare = useStage();
const full = useStage({ recommended: true });

describe('the policy of the page blocks', () => {
  /** Acts, and expects one more refusal of the directive. */
  const refuses = async (open: OpenPage, directive: string, what: string, act: () => Promise<unknown>) => {
    const count = () => open.troubles.filter((trouble) => trouble.startsWith(`policy: ${directive} refused`)).length;
    const before = count();
    await act().catch(() => undefined);
    await expect.poll(count, { message: `${directive}: ${what}` }).toBeGreaterThan(before);
  };

  it('elements that an attacker may inject', async () => {
    const open = await openPage(bare);
    for (const [directive, { tag, attributes }] of ELEMENTS) {
      const inject = () =>
        open.page.evaluate(
          ([name, all]) => {
            const element = document.createElement(name);
            document.body.append(element);
            for (const [key, value] of Object.entries(all)) element.setAttribute(key, value);
          },
          [tag, attributes] as const,
        );
      await refuses(open, directive, `${tag} ${Object.keys(attributes)}`, inject);
    }
    await open.page.context().close();
  });

  it('actions that an injected script may try', async () => {
    const open = await openPage(bare, { serviceWorkers: 'allow' });
    for (const [directive, what, act] of ACTS) await refuses(open, directive, what, () => open.page.evaluate(act));
    await open.page.context().close();
  });
});

const LARGE = '#h=96&w=96&kh=3&kw=3&c=16&k=32&x=ramp&weights=countdown:9';

/** Opens every part of the page. */
async function walk(page: Page): Promise<void> {
  for (const mode of MODES) {
    await openMode(page, mode);
    await page.getByRole('main').locator('canvas, table, [role=grid]').first().waitFor();
  }
  await page.getByRole('tab', { name: 'Algorithms' }).click();
  await page.getByRole('tabpanel', { name: 'Algorithms' }).locator('summary').first().waitFor();
  await page.getByRole('tab', { name: 'Explain' }).click();
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('dialog', { name: 'Examples' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('p');
  const exports = page.getByRole('dialog', { name: 'Export' });
  await exports.waitFor();
  for (const name of await exports.getByRole('tab').allTextContents()) {
    await exports.getByRole('tab', { name, exact: true }).click();
    await exports.getByRole('tabpanel').locator('button, textarea, canvas').first().waitFor();
  }
  await exports.getByRole('tab', { name: 'Figure' }).click();
  for (const kind of ['PNG', 'SVG']) {
    const saved = page.waitForEvent('download');
    await exports.getByRole('button', { name: `Save ${kind}` }).click();
    await (await saved).cancel();
  }
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: /Lesson/ }).click();
  await page.locator('.catalogue').waitFor();
  await page.getByRole('button', { name: 'Derivation of the formulas' }).click();
  await page.locator('.derivation').waitFor();
  await page.getByRole('button', { name: 'Back to the lessons' }).click();
  await page.getByRole('button', { name: 'Spot the bug' }).click();
  await page.locator('.spot__name').waitFor();
  await page.getByRole('tab', { name: 'Explain' }).click();
  const png = encodePng(8, 6, (_row, col) => (col < 4 ? [0, 0, 0] : [255, 255, 255]));
  await page.getByLabel('image file').setInputFiles({ name: 'edge.png', mimeType: 'image/png', buffer: png });
  await expect.poll(() => page.getByRole('spinbutton', { name: 'width', exact: true }).inputValue()).toBe('8');
}

describe('everything works under the policy', () => {
  // The walk under the headers has the policy of the page, too.
  it.runIf(THOROUGH)('without headers from the server', async () => {
    const open = await openPage(bare);
    await walk(open.page);
    await open.page.context().close();
    expect(open.troubles).toEqual([]);
  });

  it('with all recommended headers, which also apply to workers and threads', async () => {
    const open = await openPage(full);
    await walk(open.page);
    await open.page.context().close();
    expect(open.troubles).toEqual([]);
    const large = await openPage(full, {}, LARGE);
    const threads = large.page.waitForRequest(/conv2d-threads.*wasm$/);
    const footer = large.page.getByRole('tabpanel', { name: 'Algorithms' });
    await large.page.getByRole('tab', { name: 'Algorithms' }).click();
    await threads;
    for (let height = 97; !(await footer.textContent())?.includes('threads'); height += 1) {
      expect(height).toBeLessThan(160);
      await setField(large.page, 'height', String(height));
      await grid(large.page, 'y[n=0, k=0]').waitFor();
      await computed(large.page);
    }
    await large.page.context().close();
    expect(large.troubles).toEqual([]);
  });

  it('in a worker, with the policy of its headers', async () => {
    const open = await openPage(full);
    await grid(open.page, 'dx').waitFor();
    const [worker] = open.page.workers();
    const refused = await worker?.evaluate(async (away) => {
      const violation = new Promise((resolve) => {
        self.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
      });
      await fetch(away).catch(() => undefined);
      return violation;
    }, AWAY);
    expect(refused).toBe('connect-src');
    await open.page.context().close();
  });
});
