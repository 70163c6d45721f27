import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHAINS } from '../web/contract/golden-chains';
import { useStage } from './support/browser';
import { type Framing, openHost } from './support/host';
import { type Serving, type Site, serveSite } from './support/site';

// The playground in frames of other pages: which windows may drive it, that it stores nothing, and the examples
// unchanged.

const EXAMPLES = join(import.meta.dirname, '../../examples');
const FOURTH = 'h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12';

const stage = useStage({ recommended: true });
/** Of another origin than the playground, and a third one. */
let host: Site;
let other: Site;
/** Every address serves an empty page. */
const EMPTY = { root: EXAMPLES, patch: () => Buffer.from('<!doctype html><title>empty</title><body></body>') };
let empty: Site;
beforeAll(async () => {
  [host, other, empty] = await Promise.all([serveSite({ root: EXAMPLES }), serveSite(EMPTY), serveSite(EMPTY)]);
});
afterAll(async () => {
  await Promise.all([host.close(), other.close(), empty.close()]);
});

const embedAt = (site: Site, search: string, state = FOURTH) => `${site.url}embed.html?${search}#${state}`;
const originOf = (site: Site) => new URL(site.url).origin;

const frameOf = async (page: Page, selector: string): Promise<Frame> => {
  const frame = await (await page.waitForSelector(selector)).contentFrame();
  if (!frame) throw new Error(`${selector} is not a frame`);
  await frame.waitForSelector('main .panel');
  return frame;
};

/** Everything that a frame has stored, in all kinds of browser storage. */
const stored = (frame: Frame) =>
  frame.evaluate(async () => [
    localStorage.length,
    sessionStorage.length,
    (await indexedDB.databases()).length,
    (await caches.keys()).length,
    (await navigator.serviceWorker.getRegistrations()).length,
    (await navigator.locks.query()).held?.length,
  ]);

/** The answers of a frame to its host. */
const ask = (page: Page, selector: string, message: object) =>
  page.evaluate(
    ([frameAt, request]) =>
      new Promise<{ readonly ok: boolean; readonly state: { readonly fields: Readonly<Record<string, string>> } }>(
        (resolve) => {
          const frame = document.querySelector<HTMLIFrameElement>(frameAt);
          const id = Math.random();
          addEventListener('message', ({ source, data }) => {
            if (source === frame?.contentWindow && data.id === id) resolve(data);
          });
          frame?.contentWindow?.postMessage({ conv2d: 1, id, ...request }, new URL(frame.src).origin);
        },
      ),
    [selector, message] as const,
  );

/** Zeros between the cells of dy in the view dx: a stride of 1 inserts none. */
const insertedZeros = (frame: Frame) => frame.locator('.panel--dy_inserted .cell--inserted').count();

const size = (frame: Frame, tensor: string) => frame.locator(`.panel--${tensor} .figure__head`).first().textContent();

describe('the example of a host', () => {
  let open: Framing;
  let forward: Frame;
  let backward: Frame;
  beforeAll(async () => {
    open = await openHost(stage, `${host.url}host.html?site=${encodeURIComponent(stage.site.url)}`, {
      serviceWorkers: 'allow',
    });
    [forward, backward] = [await frameOf(open.page, '#forward'), await frameOf(open.page, '#backward')];
    await open.page.getByText('Both are ready.').waitFor();
  });
  afterAll(() => open.page.context().close());

  it('drives two frames, each in its own view', async () => {
    expect(await size(forward, 'y')).toMatch(/4 × 4/);
    await expect.poll(() => insertedZeros(backward)).toBe(7 * 7 - 4 * 4);
    await open.page.getByLabel('stride').fill('1');
    await open.page.getByLabel('stride').press('Enter');
    await expect.poll(() => size(forward, 'y')).toMatch(/7 × 7/);
    await expect.poll(() => insertedZeros(backward)).toBe(0);
    await backward.locator('.panel--dy_inserted').waitFor();
    await open.page.getByLabel('window').fill('5');
    await forward.getByText('5 / 49').waitFor();
    // The view dx stays at its middle step.
    expect(await backward.locator('.scrubber__count').textContent()).toBe('25 / 49');
    expect([await forward.getByRole('tab').count(), await backward.getByRole('tab').count()]).toEqual([0, 0]);
  });

  it('follows pointing and edits in one of them', async () => {
    const cell = forward.locator('.panel--x [role=gridcell][data-row="1"][data-col="1"]');
    await cell.hover();
    await open.page.getByText('x[1,1] = 8', { exact: true }).waitFor();
    await cell.click();
    await open.page.keyboard.press('Enter');
    await open.page.keyboard.press('ControlOrMeta+A');
    await open.page.keyboard.type('44');
    await open.page.keyboard.press('Enter');
    await open.page.getByText('x[1,1] = 44', { exact: true }).waitFor();
    // The view dx shows no x, but the edit applies there too, and can be undone there.
    const there = async () => (await ask(open.page, '#backward', { do: 'get' })).state.fields['x'];
    await expect.poll(there).toMatch(/^ramp~/);
    await backward.locator('main').focus();
    await open.page.keyboard.press('Control+z');
    await forward.locator('.panel--x [role=gridcell]', { hasText: /^8$/ }).waitFor();
  });

  it('has its own keys in each frame, and the keys of the page do not work in frames', async () => {
    await forward.locator('main').focus();
    for (const key of ['l', 'x', '?', 'Control+b', 'Alt+PageDown', 'h']) await open.page.keyboard.press(key);
    expect(await forward.getByRole('dialog').count()).toBe(0);
    expect(await forward.getByText('5 / 49').count()).toBe(1);
    // In the host page the key has no function.
    await open.page.getByLabel('stride').focus();
    await open.page.keyboard.press('Control+z');
    expect(await insertedZeros(backward)).toBe(0);
  });

  it('stores nothing in the browser, and violates no policy', async () => {
    expect(await stored(forward)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await stored(backward)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(open.troubles).toEqual([]);
  });
});

describe('a driving window', () => {
  const SET = { conv2d: 1, id: 'evil', do: 'set', state: 'h=9&kh=3' };

  it('must be the embedding window with the origin named in the address', async () => {
    const open = await openHost(stage, `${empty.url}host.html`);
    const { page } = open;
    const src = embedAt(stage.site, `embed=board&origin=${encodeURIComponent(originOf(empty))}`);
    await page.evaluate((address) => {
      const messageCount: unknown[] = [];
      Object.assign(window, { messageCount });
      addEventListener('message', ({ data, origin }) => messageCount.push({ ...data, origin }));
      const frame = document.body.appendChild(document.createElement('iframe'));
      Object.assign(frame, { id: 'embed', src: address, width: 800, height: 600 });
    }, src);
    const embed = await frameOf(page, '#embed');
    // A page of a third origin next to it, and one of the origin of the host that is not the embedding window.
    for (const [name, site] of [
      ['third', other],
      ['sibling', empty],
    ] as const) {
      await page.evaluate(
        ([id, address]) => {
          const frame = document.body.appendChild(document.createElement('iframe'));
          Object.assign(frame, { id, src: address });
        },
        [name, `${site.url}host.html`] as const,
      );
      const frame = await (await page.waitForSelector(`#${name}`)).contentFrame();
      await frame?.waitForURL(/host/);
      await frame?.evaluate((message) => {
        Object.assign(window, { answers: 0 });
        addEventListener('message', () => Object.assign(window, { answers: 1 }));
        const target = parent.frames[0];
        target?.postMessage(message, '*');
        target?.postMessage({ ...message, do: 'hello' }, '*');
      }, SET);
    }
    expect(await size(embed, 'x')).toMatch(/7 × 7/);
    // The same message from the host is accepted.
    const reply = await page.evaluate(
      ([message, origin]) =>
        new Promise<{ ok: boolean; origin: string }>((resolve) => {
          addEventListener('message', ({ data, origin: from }) => {
            if (data.id === 'host') resolve({ ...data, origin: from });
          });
          const frame = document.querySelector<HTMLIFrameElement>('#embed');
          frame?.contentWindow?.postMessage({ ...message, id: 'host' }, origin);
        }),
      [SET, originOf(stage.site)] as const,
    );
    expect(reply).toMatchObject({ ok: true, origin: originOf(stage.site), state: { fields: { h: '9' } } });
    await expect.poll(() => size(embed, 'x')).toMatch(/9 × 9/);
    // The frame answers in order: the others would have been answered before.
    for (const name of ['third', 'sibling']) {
      const frame = await (await page.waitForSelector(`#${name}`)).contentFrame();
      expect([name, await frame?.evaluate('answers')]).toEqual([name, 0]);
    }
    // Only the other windows said hello, and they are ignored: the frame sends no events.
    await embed.locator('.panel--w [role=gridcell]').first().hover();
    const messageCount = await page.evaluate(
      () => (window as unknown as { messageCount: { event?: string }[] }).messageCount,
    );
    expect(messageCount.map(({ event }) => event ?? 'answer')).toEqual(['ready', 'answer']);
    expect(open.troubles).toEqual([]);
    await page.context().close();
  });

  it('is refused if the address of the frame names another origin or none', async () => {
    const open = await openHost(stage, `${empty.url}host.html`);
    const { page } = open;
    const ignored = async (id: string, search: string) => {
      await page.evaluate(
        ([name, address]) => {
          const frame = document.body.appendChild(document.createElement('iframe'));
          addEventListener('message', ({ source }) => {
            if (source === frame.contentWindow) frame.dataset['answered'] = 'yes';
          });
          Object.assign(frame, { id: name, src: address, width: 800, height: 600 });
        },
        [id, embedAt(stage.site, search)] as const,
      );
      const frame = await frameOf(page, `#${id}`);
      expect([id, await size(frame, 'x')]).toEqual([id, expect.stringMatching(/7 × 7/)]);
      const heard = await frame.evaluateHandle(() => {
        const idle = () => new Promise((resolve) => requestIdleCallback(resolve));
        return {
          idle: new Promise((resolve) => addEventListener('message', () => void idle().then(idle).then(resolve))),
        };
      });
      await page.evaluate(
        ([name, message]) =>
          document.querySelector<HTMLIFrameElement>(`#${name}`)?.contentWindow?.postMessage(message, '*'),
        [id, SET] as const,
      );
      await heard.evaluate(({ idle }) => idle);
      expect([id, await page.locator(`#${id}`).getAttribute('data-answered')]).toEqual([id, null]);
      expect([id, await size(frame, 'x')]).toEqual([id, expect.stringMatching(/7 × 7/)]);
    };
    await Promise.all([
      ignored('others', `embed=board&origin=${encodeURIComponent(originOf(other))}`),
      ignored('no-origin', 'embed=board'),
      ignored('any-origin', 'embed=board&origin=*'),
    ]);
    expect(open.troubles).toEqual([]);
    await page.context().close();
  });
});

it('takes arrays in NCHW and gives them back, with the gradients of PyTorch', async () => {
  // A convolution of [2,3,4,4] with w [2,3,3,1], in whole numbers.
  const chain = CHAINS.find(({ exact, shape, layers: [only, ...more] }) => {
    const isWanted = exact && only?.k === 2 && only.stride.join() === '2,3' && only.b;
    return isWanted && more.length === 0 && shape.join() === '2,3,4,4';
  });
  const [layer] = chain?.layers ?? [];
  if (!chain || !layer) throw new Error('tests/golden/chains.json lacks the case');
  const { window, stride, dilation, padding, w, b, dy } = layer;
  const open = await openHost(stage, `${empty.url}host.html`);
  const { page } = open;
  await page.evaluate(
    (src) => Object.assign(document.body.appendChild(document.createElement('iframe')), { src }),
    embedAt(stage.site, `embed=board&origin=${encodeURIComponent(originOf(empty))}`),
  );
  await frameOf(page, 'iframe');
  const arrays = {
    x: { shape: chain.shape, values: chain.x },
    weights: { shape: [2, 3, ...window], values: w },
    bias: { shape: [1, 1, 1, 2], values: b },
    dy: { shape: [2, 2, 1, 2], values: dy },
  };
  const sizes = { stride: stride.join('x'), dilation: dilation.join('x'), padding: padding.join() };
  const answer = await ask(page, 'iframe', { do: 'set', state: { layout: 'nchw', ...sizes, ...arrays } });
  expect(answer).toMatchObject({ ok: true, complaints: [] });
  const tensors = ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'];
  expect(await ask(page, 'iframe', { do: 'get', tensors })).toMatchObject({
    tensors: {
      ...{ x: arrays.x, w: arrays.weights, b: arrays.bias, dy: arrays.dy },
      y: { shape: [2, 2, 1, 2], values: layer.y },
      dx: { shape: chain.shape, values: chain.dx },
      dw: { shape: arrays.weights.shape, values: layer.dw },
      db: { shape: [1, 1, 1, 2], values: layer.db },
    },
  });
  expect(await ask(page, 'iframe', { do: 'change', state: { weights: [[1, 2], [3]] } })).toMatchObject({
    ok: false,
    fault: 'refused',
    complaints: ['weights[1] has the length 1, but those before it 2. Send rows of one length.'],
  });
  expect(open.troubles).toEqual([]);
  await page.context().close();
});

it('reports why it does not start if its part of the page is missing', async () => {
  const serving: Serving = {
    patch: (file, body) => (file.includes('start-embed') ? { status: 404, body: Buffer.from('') } : body),
  };
  const site = await serveSite(serving);
  const page = await (await stage.newContext({ viewport: { width: 320, height: 240 } })).newPage();
  await page.goto(embedAt(site, 'embed=dx'));
  await page.getByRole('alert').getByText('A part of the page failed to load').waitFor();
  await page.close();
  await site.close();
});

it('answers that arrays were not read if their reader is missing, and reads them once it is there', async () => {
  let isMissing = true;
  const site = await serveSite({
    patch: (file, body) => (isMissing && /(^|\/)arrays-/.test(file) ? { status: 404, body: Buffer.from('') } : body),
  });
  const { page } = await openHost(stage, `${empty.url}host.html`);
  await page.evaluate(
    (src) => Object.assign(document.body.appendChild(document.createElement('iframe')), { src }),
    embedAt(site, `origin=${encodeURIComponent(originOf(empty))}`),
  );
  const frame = await frameOf(page, 'iframe');
  const set = () => ask(page, 'iframe', { do: 'set', state: { kh: 1, x: [[1, 2]] } });
  expect(await set()).toMatchObject({
    ok: false,
    fault: 'unread',
    complaints: ['The arrays were not read: a part of the page failed to load. Try again.'],
  });
  expect(await size(frame, 'x')).toMatch(/7 × 7/);
  isMissing = false;
  expect(await set()).toMatchObject({ ok: true, state: { fields: { h: '1', w: '2' } } });
  await page.context().close();
  await site.close();
});

describe('the other examples', () => {
  it('move a slide from line to line, with a stand-in for reveal.js', async () => {
    const address = `${host.url}slide.html?site=${encodeURIComponent(stage.site.url)}`;
    for (const reveals of [false, true]) {
      const open = await openHost(stage, address, {}, async (page) => {
        // A stand-in for reveal.js, which is not part of this project.
        await page.route(/reveal\.js\//, (route) =>
          reveals && route.request().url().endsWith('.js')
            ? route.fulfill({ contentType: 'text/javascript', body: REVEAL })
            : route.fulfill({ contentType: 'text/css', body: '' }),
        );
      });
      const { page } = open;
      const frame = await frameOf(page, 'iframe');
      const cell = async () => (await ask(page, 'iframe', { do: 'get' })).state.fields;
      const go = async (line: number, back = false) => {
        if (!reveals) await page.locator('.fragment').nth(line).click();
        else await page.evaluate(([i, isBack]) => window.postMessage({ line: i, isBack }), [line, back] as const);
      };
      await go(0);
      await expect.poll(cell).toMatchObject({ mode: 'dx', cell: 'dx.0', 'dx.way': 'gather' });
      await go(1);
      await expect.poll(cell).toMatchObject({ mode: 'dx', cell: 'dx.8' });
      await go(2);
      await expect.poll(cell).toMatchObject({ mode: 'dw' });
      await frame.getByText('matrix product').waitFor();
      expect(await cell()).not.toHaveProperty('cell');
      if (reveals) {
        await go(2, true);
        await expect.poll(cell).toMatchObject({ mode: 'dx', cell: 'dx.8' });
      }
      expect(open.troubles).toEqual([]);
      await page.context().close();
    }
  });

  it('form a valid notebook, and the output of its cells works', async () => {
    const notebook: unknown = JSON.parse(await readFile(join(EXAMPLES, 'notebook.ipynb'), 'utf8'));
    const cells = cellsOf(notebook);
    expect(cells.map(({ html }) => html !== null)).toEqual([false, true, false, true, false, true]);
    // The page of a notebook, which contains the output of the cells.
    const open = await openHost(stage, `${empty.url}host.html`);
    const { page } = open;
    await page.evaluate(
      (outputs) => {
        for (const html of outputs) {
          const cell = document.body.appendChild(document.createElement('div'));
          cell.innerHTML = html;
          for (const script of cell.querySelectorAll('script')) {
            const again = document.createElement('script');
            again.textContent = script.textContent;
            script.replaceWith(again);
          }
        }
      },
      cells.flatMap(({ html }) => html?.replaceAll('http://localhost:4173/', stage.site.url) ?? []),
    );
    const at = (n: number) => frameOf(page, `div:nth-of-type(${n}) iframe`);
    const [shown, arrays, driven] = [await at(1), await at(2), await at(3)];
    expect(await shown.locator('.panel--dx .figure__head').textContent()).toMatch(/7 × 7/);
    const numbers = await arrays.locator('.panel--x [role=gridcell]').allTextContents();
    expect(numbers.map((text) => Number(text.replace('\u2212', '-')))).toEqual(
      Array.from({ length: 25 }, (_, i) => i - 12),
    );
    expect(await size(driven, 'y')).toMatch(/4 × 4/);
    await page.getByRole('button', { name: '1', exact: true }).click();
    await expect.poll(() => size(driven, 'y')).toMatch(/7 × 7/);
    await driven.locator('.panel--w .grid-box').hover();
    await page.getByText('w[1,1] = 8').waitFor();
    expect(open.troubles).toEqual([]);
    await page.context().close();
  });
});

/** The two events and the initialization of reveal.js that the slide uses; a message shows or hides a line. */
const REVEAL = `window.Reveal = (() => {
  const listeners = {};
  addEventListener('message', ({ data }) => {
    if (!('line' in data)) return;
    const fragment = document.querySelectorAll('.fragment')[data.line];
    listeners[data.isBack ? 'fragmenthidden' : 'fragmentshown']({ fragment });
  });
  return { on: (name, listen) => { listeners[name] = listen; }, initialize: async () => undefined };
})();`;

/** The cells of a notebook of version 4.5; rejects notebooks that lack required fields. */
function cellsOf(notebook: unknown): readonly { readonly html: string | null }[] {
  interface Cell {
    readonly id: string;
    readonly cell_type: string;
    readonly metadata: object;
    readonly source: readonly string[];
    readonly execution_count?: number;
    readonly outputs?: readonly {
      readonly output_type: string;
      readonly metadata: object;
      readonly execution_count: number;
      readonly data: Readonly<Record<string, readonly string[]>>;
    }[];
  }
  const { nbformat, nbformat_minor, metadata, cells } = notebook as {
    readonly [name: string]: unknown;
    readonly cells: Cell[];
  };
  expect([nbformat, nbformat_minor, typeof metadata]).toEqual([4, 5, 'object']);
  expect(new Set(cells.map(({ id }) => id)).size).toBe(cells.length);
  return cells.map(({ id, cell_type, metadata: own, source, outputs, execution_count }) => {
    expect(id).toMatch(/^[a-zA-Z0-9-_]{1,64}$/);
    expect(typeof own).toBe('object');
    expect(source.every((line, i) => line.endsWith('\n') === i < source.length - 1)).toBe(true);
    if (cell_type === 'markdown') return { html: null };
    expect([cell_type, typeof execution_count, outputs?.length]).toEqual(['code', 'number', 1]);
    const [output] = outputs ?? [];
    expect(output).toMatchObject({ output_type: 'execute_result', execution_count, metadata: {} });
    expect(output?.data['text/plain']).toHaveLength(1);
    return { html: output?.data['text/html']?.join('') ?? '' };
  });
}
