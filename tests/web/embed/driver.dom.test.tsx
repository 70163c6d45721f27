import { computed } from '@preact/signals';
import { afterEach, describe, expect, it } from 'vitest';
import { createDriver, type DriverContext, withPrivateAddress } from '../../../web/src/embed/driver';
import type { EmbedAnswer, EmbedRequest } from '../../../web/src/embed/protocol';
import { linksOf } from '../../../web/src/geometry/links';
import { createAddress } from '../../../web/src/link/address';
import { parseLink } from '../../../web/src/link/parse-link';
import { readLink } from '../../../web/src/link/read-link';
import { writeLink } from '../../../web/src/link/write-link';
import { createLook } from '../../../web/src/look/look-store';
import type { ConvError } from '../../../web/src/protocol/problem';
import { convolutionOf, layerOf } from '../support/problems';
import '../../../web/src/link/network-fields';
import { createStore } from '../../../web/src/state/store';
import { FakeLibrary } from '../state/fake-compute';
import { setCell } from '../state/set-cell';

const FOURTH = 'h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12';

const REFUSED = { code: 'invalid', field: 'kh', message: 'kh is 2 here' } as unknown as ConvError;

let stop = () => {};
afterEach(() => stop());

interface Driven extends DriverContext {
  readonly library: FakeLibrary;
  readonly does: (request: Readonly<Record<string, unknown>>) => Promise<EmbedAnswer>;
}

function driven(hash = FOURTH): Driven {
  window.location.hash = hash;
  const link = parseLink(hash);
  const look = createLook(() => linksOf, link.look);
  const store = createStore(link.problem, { look });
  const address = createAddress(store, look, link, withPrivateAddress(window));
  stop = address.stop;
  const library = new FakeLibrary();
  store.connect((request) => {
    const answer = library.compute(request);
    void (request.layers[0]?.window.kh === 2 ? library.refuse(REFUSED) : library.answer());
    return answer;
  });
  const currentContent = computed(
    () => store.shown.value && { geometry: store.shown.value.geometry, tensors: store.shown.value.tensors, loss: null },
  );
  currentContent.subscribe((content) => look.setGeometry(content?.geometry ?? null));
  const drive = createDriver({ store, look, address, currentContent });
  const does: Driven['does'] = (request) => drive({ id: 1, ...request } as EmbedRequest);
  return { store, look, address, currentContent, library, does };
}

const linkOf = (answer: EmbedAnswer): string => (answer.ok ? answer.state.link : answer.complaints.join());
const fieldsOf = (answer: EmbedAnswer) => (answer.ok ? answer.state.fields : {});

describe('a host', () => {
  it('gets the state, as a link and as fields', async () => {
    const { does } = driven(`${FOURTH}&mode=dx&dx.way=gather&cell=y.3`);
    const answer = await does({ do: 'get' });
    expect(linkOf(answer)).toBe(
      'v=2&h=7&w=7&kh=3&kw=3&stride=2&padding=1&x=ramp&weights=countdown:12&dy=ones&mode=dx&dx.way=gather&cell=y.3',
    );
    expect(fieldsOf(answer)).toMatchObject({ h: '7', weights: 'countdown:12', 'dx.way': 'gather', cell: 'y.3' });
  });

  it('gets tensors of the shown problem, with null for hidden values and missing tensors', async () => {
    const { does, store } = driven('h=2&w=3&kh=1&x=ramp&weights=ones');
    const answer = await does({ do: 'get', tensors: ['x', 'w', 'b'] });
    expect(answer).toEqual({
      ...(await does({ do: 'get' })),
      tensors: {
        x: { shape: [1, 2, 3, 1], values: [0, 1, 2, 3, 4, 5] },
        w: { shape: [1, 1, 1, 1], values: [1] },
        b: null,
      },
    });
    setCell(store, 'x', 0, Number.NaN);
    expect(await does({ do: 'get', tensors: ['x'] })).toMatchObject({
      tensors: { x: { values: [null, 1, 2, 3, 4, 5] } },
    });
    expect(await does({ do: 'get', tensors: [] })).toMatchObject({ ok: true, tensors: {} });
  });

  it('gets no tensors while there is no result of the problem', async () => {
    const { does } = driven('h=5&kh=2');
    expect(await does({ do: 'get', tensors: ['x'] })).toEqual({
      ok: false,
      fault: 'failed',
      complaints: ['The problem was not computed.'],
    });
    expect(await does({ do: 'get' })).toMatchObject({ ok: true });
  });

  it('opens a state like a link, in one undo step', async () => {
    const { does, store, look } = driven(`${FOURTH}&mode=dx`);
    const answer = await does({ do: 'set', link: 'h=5&kh=3&x=ramp&cell=y.2' });
    expect(fieldsOf(answer)).toMatchObject({ h: '5', cell: 'y.2' });
    expect(fieldsOf(answer)).not.toHaveProperty('mode');
    store.undo();
    expect([layerOf(store.problem.value).desc.h, look.mode.value, store.canUndo.value]).toEqual([7, 'dx', false]);
  });

  it('sets arrays, with the sizes and the layout of the state or of the frame', async () => {
    const { does, store } = driven('h=7&kh=1&stride=2&x=ramp&weights=ones');
    const set = await does({ do: 'set', fields: { kh: '1' }, arrays: { x: [[1, 2, 3]], weights: [[2]] } });
    // The stride is 1 again, as omitted fields get their defaults.
    expect(fieldsOf(set)).toMatchObject({ h: '1', w: '3', stride: '1' });
    expect([...store.problem.value.x.data, ...layerOf(store.problem.value).w.data]).toEqual([1, 2, 3, 2]);
    // x [1,2,2,1] NCHW: the layout that the frame has.
    await does({ do: 'change', fields: { layout: 'nchw', stride: '2' } });
    const x = { shape: [1, 2, 2, 1], values: [1, 2, 3, 4] };
    const changed = await does({ do: 'change', fields: {}, arrays: { x, dy: [9] } });
    expect(fieldsOf(changed)).toMatchObject({ h: '2', w: '1', c: '2', stride: '2', layout: 'nchw' });
    expect([...store.problem.value.x.data]).toEqual([1, 2, 3, 4]);
    expect(store.problem.value.loss).toMatchObject({ dy: { kind: 'values', data: Float32Array.of(9) } });
    const got = await does({ do: 'get', tensors: ['x'] });
    expect(got).toMatchObject({ tensors: { x } });
  });

  it('refuses an array that does not fit and names it; nothing changes', async () => {
    const { does, store } = driven('h=6&kh=3');
    const before = store.problem.value;
    // The y of a change is 4 x 4; that of a new state 5 x 5, with h = 7.
    for (const [request, sentence] of [
      [{ do: 'change', arrays: { dy: [1, 2] } }, /^dy has the length 2, but must have 16 for \[1, 4, 4, 1\]/],
      [{ do: 'set', arrays: { dy: [1, 2] } }, /^dy has the length 2, but must have 25 for \[1, 5, 5, 1\]/],
      [{ do: 'set', arrays: { x: [[1, '2']] } }, /^x\[0\]\[1\] is "2"/],
    ] as const) {
      expect(await does({ ...request, fields: {} })).toEqual({
        ok: false,
        fault: 'refused',
        complaints: [expect.stringMatching(sentence)],
      });
      expect(store.problem.value).toBe(before);
    }
  });

  it('does not set arrays over a newer request', async () => {
    const { does, store } = driven();
    const first = does({ do: 'set', fields: { kh: '1' }, arrays: { x: [[1, 2, 3]] } });
    const second = does({ do: 'set', link: 'h=5&kh=3' });
    expect([await first, await second]).toMatchObject([{ ok: false, fault: 'overtaken' }, { ok: true }]);
    expect(layerOf(store.problem.value).desc.h).toBe(5);
  });

  it('changes fields by any of their names and keeps the others', async () => {
    const { does } = driven();
    expect(fieldsOf(await does({ do: 'change', fields: { s: '1', kernel: '5' } }))).toMatchObject({
      stride: '1',
      kh: '5',
      kw: '5',
      weights: 'countdown:12',
      padding: '1',
    });
    const back = await does({ do: 'change', fields: { weights: null, mode: 'board', 'board.t': '4' } });
    expect(fieldsOf(back)).toMatchObject({ weights: 'countdown:25', 'board.t': '4' });
    expect(back).toMatchObject({ ok: true, complaints: [] });
  });

  it('changes the look without an edit and without computing', async () => {
    const { does, store, look, library } = driven(`${FOURTH}&mode=dx&dx.way=gather`);
    await does({ do: 'get' });
    const [problem, asked] = [store.problem.value, library.requests.length];
    const answer = await does({ do: 'change', fields: { cell: 'x.8', 'dx.t': '5', colours: 'root' } });
    expect(fieldsOf(answer)).toMatchObject({ mode: 'dx', 'dx.way': 'gather', 'dx.t': '5', colours: 'root' });
    expect(look.pinned.value).toEqual({ tensor: 'x', index: 8 });
    expect(look.highlights.value).toMatchObject({ cell: { tensor: 'x', index: 8 }, pinned: true });
    // An unknown cell is none, and the pointer stays over its cell.
    look.hover({ tensor: 'y', index: 3 });
    await does({ do: 'change', fields: { cell: 'x.49' } });
    expect([look.pinned.value, look.current.value]).toEqual([null, { tensor: 'y', index: 3 }]);
    await does({ do: 'change', fields: { mode: 'dw' } });
    expect(look.current.value).toBeNull();
    expect(store.problem.value).toBe(problem);
    expect([library.requests.length, store.canUndo.value]).toEqual([asked, false]);
  });

  it('keeps values that no link contains while it changes other fields', async () => {
    const { does, store } = driven('h=50&kh=3&x=ramp');
    setCell(store, 'x', 7, 123);
    const { data } = store.problem.value.x;
    const answer = await does({ do: 'change', fields: { stride: '2' } });
    expect(answer).toMatchObject({ ok: true, state: { omitted: [] } });
    expect(layerOf(store.problem.value).desc.stride_h).toBe(2);
    expect([...store.problem.value.x.data]).toEqual([...data]);
    // The answer is compressed and opens them elsewhere.
    expect([...(await readLink(linkOf(answer))).problem.x.data]).toEqual([...data]);
  });

  it('keeps the layers of a network, with weights that no link contains, while it changes other fields', async () => {
    const { does, store } = driven('h=40&kh=1&layer.2=relu&layer.3=conv;kh:31;kw:31;k:3');
    const opened = await does({ do: 'get' });
    expect(fieldsOf(opened)).toMatchObject({ 'layer.2': 'relu' });
    expect(fieldsOf(opened)['layer.3']).toMatch(/^conv;/);
    const values = Float32Array.from({ length: 31 * 31 * 3 }, (_, i) => i / 8);
    const problem = store.problem.value;
    const last = convolutionOf(problem, 2);
    const edited = { ...last, w: { ...last.w, data: values, edited: true } };
    store.open({ ...problem, layers: problem.layers.with(2, edited) }, 'everything');
    const answer = await does({ do: 'change', fields: { 'layer.1': 'conv;kh:1;weights:ones' } });
    expect(answer).toMatchObject({ ok: true, complaints: [] });
    expect(layerOf(store.problem.value).w.source).toEqual({ kind: 'constant', value: 1 });
    expect([...convolutionOf(store.problem.value, 2).w.data]).toEqual([...values]);
    // One layer again.
    await does({ do: 'change', fields: { layers: '1', 'layer.2': null, 'layer.3': null } });
    expect(store.problem.value.layers).toHaveLength(1);
  });

  it('gets the ignored parts; a refused state changes nothing', async () => {
    const { does, store } = driven();
    const answer = await does({ do: 'change', fields: { stride: 'two', nonsense: '1' } });
    expect(answer).toMatchObject({ ok: true });
    expect(answer.complaints).toEqual([
      expect.stringContaining('"nonsense=1" in the link is unknown'),
      expect.stringContaining('stride is "two" in the link, but must be'),
    ]);
    for (const [link, fault, why] of [
      ['h=4&kh=9', 'refused', /sizes that do not fit together/],
      ['h=99999&kh=3', 'refused', /too large/],
      ['h=512&w=512&kh=9&c=16&k=64', 'costly', /must confirm/],
      ['h=5&kh=2', 'refused', /kh is 2 here/],
    ] as const) {
      const said = await does({ do: 'set', link });
      expect([link, said]).toEqual([link, { ok: false, fault, complaints: [expect.stringMatching(why)] }]);
      expect([link, layerOf(store.problem.value).desc.kh]).toEqual([link, 3]);
    }
  });

  it('does not override a newer change of the user', async () => {
    const { does, store } = driven();
    await does({ do: 'get' });
    const answer = does({ do: 'set', link: 'h=5&kh=3' });
    setCell(store, 'x', 0, 50);
    expect(await answer).toMatchObject({ ok: false, fault: 'overtaken' });
    expect([layerOf(store.problem.value).desc.h, store.problem.value.x.data[0]]).toEqual([7, 50]);
  });
});

describe('the address of an embed', () => {
  it('is owned by the host page: the embed never writes it and reads its changes', async () => {
    const { does, store, address } = driven();
    const before = [window.location.hash, window.history.length];
    await does({ do: 'set', link: 'h=5&kh=3' });
    setCell(store, 'x', 0, 9);
    expect(address.flush(writeLink)).toContain('h=5');
    address.goTo('h=6&kh=3');
    await does({ do: 'get' });
    expect([window.location.hash, window.history.length]).toEqual(before);
    window.location.hash = 'h=9&kh=3';
    window.dispatchEvent(new HashChangeEvent('hashchange'));
    await expect.poll(() => layerOf(store.problem.value).desc.h).toBe(9);
  });
});
