import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { THOROUGH } from '../thorough';
import { openPage, useStage } from './support/browser';
import { openHost } from './support/host';
import { formatChange, measure, openProfiler } from './support/memory';
import { DIST, type Site, serveSite } from './support/site';

// An embedded frame: the sites that may embed it, its download size, and the code that the
// page generates for it.

const stage = useStage({ recommended: true });
/** Of another origin, cross-origin isolated like the pages of the playground. */
let host: Site;
const EMPTY = () => Buffer.from('<!doctype html><title>empty</title><body></body>');
beforeAll(async () => {
  host = await serveSite({ isolated: true, patch: EMPTY });
});
afterAll(async () => {
  await host.close();
});

const STATE = 'h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12';

it('other sites can embed embed.html, isolated sites too, but not the page itself', async () => {
  const open = await openHost(stage, `${host.url}index.html`);
  const { page } = open;
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const show = (id: string, src: string) =>
    page.evaluate(
      ([name, address]) => {
        const frame = document.body.appendChild(document.createElement('iframe'));
        Object.assign(frame, { id: name, allow: 'cross-origin-isolated', src: address, width: 800, height: 600 });
      },
      [id, src] as const,
    );
  await show('embed', `${stage.site.url}embed.html`);
  const embed = await (await page.waitForSelector('#embed')).contentFrame();
  await embed?.waitForSelector('main .panel');
  expect(await embed?.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(open.troubles).toEqual([]);
  for (const [id, address] of [
    ['whole', stage.site.url],
    ['named', `${stage.site.url}?embed=board`],
  ] as const) {
    await show(id, address);
    const frame = await (await page.waitForSelector(`#${id}`)).contentFrame();
    // A blocked frame shows the error page of the browser.
    await expect.poll(() => frame?.url()).toMatch(/^chrome-error:/);
  }
  await page.context().close();
});

it('downloads little more than the page', async () => {
  const bytesOf = async (address: string) => {
    const open = await openPage(stage, {}, address);
    const { page } = open;
    const files = new Set<string>();
    await page.goto(`${stage.site.url}icon.svg`);
    page.on('response', (response) =>
      files.add(new URL(response.url()).pathname.slice(new URL(stage.site.url).pathname.length)),
    );
    page.on('worker', (worker) =>
      files.add(new URL(worker.url()).pathname.slice(new URL(stage.site.url).pathname.length)),
    );
    await page.goto(stage.site.url + address);
    await page.locator('main .panel--dx').waitFor();
    // The file that is loaded last.
    await expect.poll(() => [...files].some((file) => /second-.*js/.test(file))).toBe(true);
    await page.waitForLoadState('networkidle');
    await page.context().close();
    const sizes = [...files].map(async (file) => gzipSync(await readFile(join(DIST, file || 'index.html'))).length);
    return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
  };
  const [page, embed] = [await bytesOf(''), await bytesOf('embed.html?embed=board')];
  console.log(`until it is quiet: the page ${page} bytes, an embed ${embed}`);
  expect(page).toBeGreaterThan(100_000);
  // The channel to the host and the reading of links.
  expect(embed - page).toBeLessThan(8000);
});

it('the generated embed code shows the current state', async () => {
  const open = await openPage(stage, {}, `#${STATE}&mode=dx&dx.way=gather&cell=dx.8`);
  const { page } = open;
  await page.locator('main .panel--dx').waitFor();
  await page.keyboard.press('p');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('tab', { name: 'Embed' }).click();
  const lines = dialog.getByRole('textbox', { name: 'embed code' });
  await dialog.getByLabel('controlled by the page at').fill(host.url);
  await dialog.getByLabel('theme').selectOption('dark');
  const code = await lines.inputValue();
  expect(code).toContain(`origin=${encodeURIComponent(new URL(host.url).origin)}`);
  await dialog.getByText('on your own machine').waitFor();
  expect(open.troubles).toEqual([]);
  await page.context().close();

  const other = await openHost(stage, `${host.url}index.html`);
  await other.page.evaluate((html) => {
    document.body.innerHTML = html;
  }, code);
  const frame = await (await other.page.waitForSelector('iframe')).contentFrame();
  await frame?.waitForSelector('main .panel--dx');
  expect(await frame?.evaluate(() => [document.documentElement.dataset['theme'], innerWidth, innerHeight])).toEqual([
    'dark',
    720,
    560,
  ]);
  await expect.poll(() => frame?.locator('.panel--dx [data-pinned], .panel--dx .mark').count()).toBeGreaterThan(0);
  await other.page.context().close();
});

it('a frame shows a network, and its messages carry the layers', async () => {
  const open = await openHost(stage, `${host.url}index.html`);
  const { page } = open;
  const layers = 'h=6&kh=3&layer.2=relu&layer.3=max_pool;kernel:2&x=ramp&weights=ones&dy=ones';
  const origin = encodeURIComponent(new URL(host.url).origin);
  await page.evaluate(
    (src) =>
      Object.assign(document.body.appendChild(document.createElement('iframe')), { width: 900, height: 600, src }),
    `${stage.site.url}embed.html?embed=network&origin=${origin}#${layers}`,
  );
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  const panel = (name: string) => frame?.waitForSelector(`main .panel--${name}, main [aria-label^="${name}"]`);
  await panel('dy2');
  const ask = (message: object) =>
    page.evaluate(
      (request) =>
        new Promise<{ readonly ok: boolean; readonly state: { readonly fields: Readonly<Record<string, string>> } }>(
          (resolve) => {
            const id = Math.random();
            addEventListener('message', ({ data }) => {
              if (data.id === id) resolve(data);
            });
            const target = document.querySelector('iframe');
            target?.contentWindow?.postMessage({ conv2d: 1, id, ...request }, new URL(target.src).origin);
          },
        ),
      message,
    );
  expect((await ask({ do: 'hello' })).state.fields).toMatchObject({
    ...{ mode: 'network', 'layer.2': 'relu', 'layer.3': 'max_pool;kernel:2;stride:2' },
  });
  const changed = await ask({ do: 'change', state: { layers: '4', 'layer.4': 'conv;kh:1;weights:constant:3' } });
  expect(changed.state.fields).toMatchObject({ 'layer.2': 'relu', 'layer.4': expect.stringMatching(/^conv;/) });
  await panel('dy4');
  expect(open.troubles).toEqual([]);
  await page.context().close();
});

const ROUNDS = THOROUGH ? 40 : 15;
/** Undo steps are kept by design, as is code compiled by an engine. */
const MOST_GROWTH = 3e6;

it(`two frames of one page, driven ${ROUNDS} times each, are independent and leak no memory`, async () => {
  const open = await openHost(stage, `${host.url}index.html`);
  const { page } = open;
  const session = await openProfiler(page);
  const src = `${stage.site.url}embed.html?origin=${encodeURIComponent(new URL(host.url).origin)}`;
  /** Waits until both have loaded, or were driven this often; each then shows its last command. */
  const drive = (rounds: number) =>
    page.evaluate(
      async ([address, count]) => {
        const frames = ['board', 'dx'].map((mode) => {
          const old = document.querySelector<HTMLIFrameElement>(`#${mode}`);
          if (old) return old;
          const frame = document.body.appendChild(document.createElement('iframe'));
          return Object.assign(frame, { id: mode, width: 720, height: 560, src: `${address}&embed=${mode}` });
        });
        const target = new URL(address).origin;
        const once = (wanted: (event: MessageEvent) => boolean) =>
          new Promise<MessageEvent>((resolve) => {
            const listen = (event: MessageEvent) => {
              if (!wanted(event)) return;
              removeEventListener('message', listen);
              resolve(event);
            };
            addEventListener('message', listen);
          });
        if (count === 0) await Promise.all(frames.map((frame) => once(({ source }) => source === frame.contentWindow)));
        const states = await Promise.all(
          frames.map(async (frame, which) => {
            let fields = {};
            for (let i = 0; i <= count; i += 1) {
              const id = `${which} ${i}`;
              const answer = once(({ data }) => data.id === id);
              const state = { h: 5 + ((i + which) % 3), kh: 3, x: `random:${which + 1}${i}` };
              frame.contentWindow?.postMessage({ conv2d: 1, id, do: 'set', state }, target);
              fields = (await answer).data.state.fields;
            }
            return fields as { readonly x: string };
          }),
        );
        return states.map(({ x }) => x);
      },
      [src, rounds] as const,
    );
  await drive(0);
  await drive(5);
  const before = await measure(session);
  expect(await drive(ROUNDS)).toEqual([`random:1${ROUNDS}`, `random:2${ROUNDS}`]);
  const after = await measure(session);
  console.log(`two frames: ${formatChange(before, after)}`);
  expect(after.bytes - before.bytes).toBeLessThan(MOST_GROWTH);
  expect(after.nodes - before.nodes).toBeLessThan(400);
  // After one frame is removed, the other is unchanged.
  await page.evaluate(() => document.querySelector('#steps')?.remove());
  const left = await (await page.waitForSelector('#dx')).contentFrame();
  expect(await left?.evaluate(() => document.querySelectorAll('.panel--dx').length)).toBe(1);
  expect(open.troubles).toEqual([]);
  await page.context().close();
});
