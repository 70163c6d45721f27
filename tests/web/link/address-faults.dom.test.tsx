import { afterEach, describe, expect, test, vi } from 'vitest';
import { createExamples } from '../../../web/src/app/examples/examples';
import type { Example } from '../../../web/src/lessons/examples';
import { FakeLibrary } from '../state/fake-compute';
import { layerOf } from '../support/problems';
import { addressTests, FOURTH, opened, pause, visit } from './opened-address';

const READER = '../../../web/src/link/parse-link';

addressTests();
afterEach(() => {
  vi.doUnmock(READER);
});

/** Makes the link reader fail to load until the returned function is called. */
function withoutReader(): () => void {
  vi.doMock(READER, () => {
    throw new Error('offline');
  });
  return () => vi.doUnmock(READER);
}

describe('an address with a fault', () => {
  test.each([
    ['with an invalid problem', 'h=4&kh=9', /kh is 9/],
    ['beyond the limits', 'h=5&kh=3&k=2000', /k is 2000, but at most 256/],
    ['with an unknown field', 'chapter-2', /chapter-2/],
    ['with too many fields', 'a&'.repeat(20_000), /20,000 fields/],
  ])('%s changes nothing on an open page, and stays', async (_name, hash, sentence) => {
    const { store, look, address } = await opened();
    await pause();
    const [problem, seen] = [store.problem.value, look.written.value];
    visit(hash);
    await vi.waitFor(() => expect(address.complaints.value[0]).toMatch(sentence));
    await pause();
    expect([store.problem.value, look.written.value]).toEqual([problem, seen]);
    expect(window.location.hash).toBe(`#${hash}`);
    expect(address.faulty.value).toEqual({ hash, kind: 'link', unread: false, costs: null, knownInputs: {} });
  });

  test('stays when the page opens with it', async () => {
    const { store, address } = await opened('#h=4&kh=9');
    await pause();
    expect(layerOf(store.problem.value).desc.h).toBe(5);
    expect(address.complaints.value).toHaveLength(1);
    expect(window.location.hash).toBe('#h=4&kh=9');
  });

  test('with an ignored field stays until the state changes, and is then the previous entry', async () => {
    const { store, address } = await opened('#h=9&kh=3&color=red');
    await pause();
    expect(address.complaints.value).toHaveLength(1);
    expect(window.location.hash).toBe('#h=9&kh=3&color=red');
    const before = window.history.length;
    store.setDesc({ h: 8 });
    await pause();
    expect(window.location.hash).toContain('h=8');
    expect(window.history.length).toBe(before + 1);
    store.setDesc({ h: 7 });
    await pause();
    expect(window.history.length).toBe(before + 1);
  });

  test('can be corrected', async () => {
    const { store, address } = await opened('#h=4&kh=9');
    await pause();
    address.goTo('https://example.org/#h=9&kh=4');
    await vi.waitFor(() => expect(layerOf(store.problem.value).desc).toMatchObject({ h: 9, kh: 4 }));
    expect([address.complaints.value, address.faulty.value]).toEqual([[], null]);
    await pause();
    expect(window.location.hash).toContain('h=9&w=9&kh=4');
  });

  test('is not overwritten before its event', async () => {
    const { store } = await opened();
    await pause();
    store.setDesc({ h: 9 });
    await vi.advanceTimersByTimeAsync(399);
    // The event comes one task after the write is due.
    window.location.hash = 'h=6&kh=2';
    await vi.advanceTimersByTimeAsync(1);
    await vi.waitFor(() => expect(layerOf(store.problem.value).desc).toMatchObject({ h: 6, kh: 2 }));
    await pause();
    expect(window.location.hash).toContain('h=6&w=6&kh=2');
  });

  test('is not overwritten while it is read', async () => {
    const { store, address } = await opened();
    await pause();
    let arrive = () => {};
    const fetched = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    vi.doMock(READER, async (original) => {
      await fetched;
      return original();
    });
    store.setDesc({ h: 9 });
    visit('h=4&kh=9');
    await vi.advanceTimersByTimeAsync(500);
    expect(window.location.hash).toBe('#h=4&kh=9');
    arrive();
    await vi.waitFor(() => expect(address.complaints.value).toHaveLength(1));
    await pause();
    expect(window.location.hash).toBe('#h=4&kh=9');
  });
});

describe('an address that needs a confirmation', () => {
  const LARGE = 'h=3000&kh=1&x=ones';

  test('reports the cost, and opens after the confirmation', async () => {
    const { store, address } = await opened();
    await pause();
    const problem = store.problem.value;
    visit(LARGE);
    await vi.waitFor(() => expect(address.faulty.value).not.toBeNull());
    await pause();
    expect(store.problem.value).toBe(problem);
    // 3000 x 3000 of x, y and their gradients, four bytes each, on the page and in the worker; 1 weight.
    const bytes = 4 * 2 * (4 * 3000 * 3000 + 2);
    expect(address.faulty.value).toMatchObject({ costs: { multiply_adds: 3 * 3000 * 3000, bytes } });
    expect(window.location.hash).toBe(`#${LARGE}`);
    expect(await address.open(LARGE, 'link', true)).toBe(true);
    expect(layerOf(store.problem.value).desc.h).toBe(3000);
    expect(address.faulty.value).toBeNull();
  });
});

describe('an address with an unknown algorithm', () => {
  test('stays, with its problem, until the state changes', async () => {
    const { store } = await opened();
    const library = new FakeLibrary();
    store.connect(library.compute);
    await library.answer();
    await pause();
    visit(`${FOURTH.slice(1)}&x=random:5&forward=bogus`);
    await vi.waitFor(() => expect(library.requests).toHaveLength(2));
    await library.refuse({ code: 'unknown_algorithm', field: 'algorithm', message: 'there is no bogus' });
    expect(layerOf(store.problem.value).algorithms).toEqual({});
    expect(store.problem.value.x.source.kind).toBe('ramp');
    await pause();
    expect(window.location.hash).toContain('forward=bogus');
    store.clearAlgorithms();
    await pause();
    expect(window.location.hash).toContain('x=random:5');
    expect(window.location.hash).not.toContain('bogus');
  });
});

describe('without the link reader', () => {
  test('keeps address and problem, and can try again', async () => {
    const { store, address } = await opened();
    await pause();
    const problem = store.problem.value;
    const restore = withoutReader();
    visit('h=6&kh=2');
    await vi.waitFor(() =>
      expect(address.faulty.value).toEqual({
        hash: 'h=6&kh=2',
        kind: 'link',
        unread: true,
        costs: null,
        knownInputs: {},
      }),
    );
    await pause();
    expect(store.problem.value).toBe(problem);
    expect(window.location.hash).toBe('#h=6&kh=2');
    expect(address.complaints.value).toHaveLength(1);
    restore();
    expect(await address.open('h=6&kh=2')).toBe(true);
    expect(layerOf(store.problem.value).desc).toMatchObject({ h: 6, kh: 2 });
    expect([address.complaints.value, address.faulty.value]).toEqual([[], null]);
  });

  test('opens the page with the default, and keeps the address', async () => {
    const restore = withoutReader();
    const { store, address } = await opened('#h=6&kh=2');
    restore();
    await pause();
    expect(layerOf(store.problem.value).desc.h).toBe(5);
    expect(address.faulty.value?.unread).toBe(true);
    expect(window.location.hash).toBe('#h=6&kh=2');
  });

  test('does not label the opening problem as an example', async () => {
    const { store, address } = await opened();
    await pause();
    const [problem, hash] = [store.problem.value, window.location.hash];
    const examples = createExamples(store, address);
    const example: Example = { title: 'Six', sentence: '', link: 'h=6&kh=2' };
    const restore = withoutReader();
    await examples.open(example);
    restore();
    await pause();
    expect(store.problem.value).toBe(problem);
    expect(examples.current.value).toBeNull();
    expect(address.faulty.value).toEqual({
      hash: example.link,
      kind: 'example',
      unread: true,
      costs: null,
      knownInputs: {},
    });
    expect(window.location.hash).toBe(hash);
    await examples.open(example);
    expect(examples.current.value).toBe(example);
  });
});
