import { afterEach, describe, expect, test, vi } from 'vitest';
import { createExamples } from '../../../web/src/app/examples/examples';
import type { Preset } from '../../../web/src/lessons/preset';
import { FakeLibrary } from '../state/fake-compute';
import { addressTests, FOURTH, opened, pause, visit } from './opened-address';

const READER = '../../../web/src/link/parse-link';

addressTests();
afterEach(() => {
  vi.doUnmock(READER);
});

/** The reader of links cannot be fetched until the returned function is called. */
function withoutReader(): () => void {
  vi.doMock(READER, () => {
    throw new Error('offline');
  });
  return () => vi.doUnmock(READER);
}

describe('an address with a fault', () => {
  test.each([
    ['whose problem cannot be', 'h=4&kh=9', /kh is 9/],
    ['beyond the limits', 'h=5&kh=3&k=2000', /k is 2000, but at most 256/],
    ['of nothing that a link can say', 'chapter-2', /chapter-2/],
    ['too long to be read', 'a&'.repeat(20_000), /20,000 parts/],
  ])('%s changes nothing on an open page, and stays', async (_name, hash, sentence) => {
    const { store, look, address } = await opened();
    await pause();
    const [problem, seen] = [store.problem.value, look.written.value];
    visit(hash);
    await vi.waitFor(() => expect(address.complaints.value[0]).toMatch(sentence));
    await pause();
    expect([store.problem.value, look.written.value]).toEqual([problem, seen]);
    expect(window.location.hash).toBe(`#${hash}`);
    expect(address.faulty.value).toEqual({ hash, kind: 'link', unread: false, costs: null, carried: {} });
  });

  test('stays when the page opens with it', async () => {
    const { store, address } = await opened('#h=4&kh=9');
    await pause();
    expect(store.problem.value.desc.h).toBe(5);
    expect(address.complaints.value).toHaveLength(1);
    expect(window.location.hash).toBe('#h=4&kh=9');
  });

  test('of which a part was not understood stays until something else is seen, and is one step back then', async () => {
    const { store, address } = await opened('#h=9&kh=3&colour=red');
    await pause();
    expect(address.complaints.value).toHaveLength(1);
    expect(window.location.hash).toBe('#h=9&kh=3&colour=red');
    const before = window.history.length;
    store.setDesc({ h: 8 });
    await pause();
    expect(window.location.hash).toContain('h=8');
    expect(window.history.length).toBe(before + 1);
    store.setDesc({ h: 7 });
    await pause();
    expect(window.history.length).toBe(before + 1);
  });

  test('may be corrected', async () => {
    const { store, address } = await opened('#h=4&kh=9');
    await pause();
    address.goTo('https://example.org/#h=9&kh=4');
    await vi.waitFor(() => expect(store.problem.value.desc).toMatchObject({ h: 9, kh: 4 }));
    expect([address.complaints.value, address.faulty.value]).toEqual([[], null]);
    await pause();
    expect(window.location.hash).toContain('h=9&w=9&kh=4');
  });

  test('is not written over before its event comes', async () => {
    const { store } = await opened();
    await pause();
    store.setDesc({ h: 9 });
    await vi.advanceTimersByTimeAsync(399);
    // Its event comes a task later than the write is due.
    window.location.hash = 'h=6&kh=2';
    await vi.advanceTimersByTimeAsync(1);
    await vi.waitFor(() => expect(store.problem.value.desc).toMatchObject({ h: 6, kh: 2 }));
    await pause();
    expect(window.location.hash).toContain('h=6&w=6&kh=2');
  });

  test('is not written over while it is read', async () => {
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

describe('an address that opens nothing unasked', () => {
  const LARGE = 'h=3000&kh=1&x=ones';

  test('says what it takes, and opens when it is asked to', async () => {
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
    expect(store.problem.value.desc.h).toBe(3000);
    expect(address.faulty.value).toBeNull();
  });
});

describe('an address whose algorithm the library refuses', () => {
  test('stays, with what it would open, until something else is seen', async () => {
    const { store } = await opened();
    const library = new FakeLibrary();
    store.connect(library.compute);
    await library.answer();
    await pause();
    visit(`${FOURTH.slice(1)}&x=random:5&forward=bogus`);
    await vi.waitFor(() => expect(library.requests).toHaveLength(2));
    await library.refuse({ code: 'unknown_algorithm', field: 'algorithm', message: 'there is no bogus' });
    expect(store.problem.value.algorithms).toEqual({});
    expect(store.problem.value.x.source.kind).toBe('ramp');
    await pause();
    expect(window.location.hash).toContain('forward=bogus');
    store.releaseAlgorithms();
    await pause();
    expect(window.location.hash).toContain('x=random:5');
    expect(window.location.hash).not.toContain('bogus');
  });
});

describe('without the reader of links', () => {
  test('neither address nor problem is lost, and it can be tried again', async () => {
    const { store, address } = await opened();
    await pause();
    const problem = store.problem.value;
    const restore = withoutReader();
    visit('h=6&kh=2');
    await vi.waitFor(() =>
      expect(address.faulty.value).toEqual({ hash: 'h=6&kh=2', kind: 'link', unread: true, costs: null, carried: {} }),
    );
    await pause();
    expect(store.problem.value).toBe(problem);
    expect(window.location.hash).toBe('#h=6&kh=2');
    expect(address.complaints.value).toHaveLength(1);
    restore();
    expect(await address.open('h=6&kh=2')).toBe(true);
    expect(store.problem.value.desc).toMatchObject({ h: 6, kh: 2 });
    expect([address.complaints.value, address.faulty.value]).toEqual([[], null]);
  });

  test('a page opens with what it has, and keeps its address', async () => {
    const restore = withoutReader();
    const { store, address } = await opened('#h=6&kh=2');
    restore();
    await pause();
    expect(store.problem.value.desc.h).toBe(5);
    expect(address.faulty.value?.unread).toBe(true);
    expect(window.location.hash).toBe('#h=6&kh=2');
  });

  test('an example does not put the opening problem under its name', async () => {
    const { store, address } = await opened();
    await pause();
    const [problem, hash] = [store.problem.value, window.location.hash];
    const examples = createExamples(store, address);
    const preset: Preset = { group: 'begin', place: 1, title: 'Six', sentence: '', hash: 'h=6&kh=2' };
    const restore = withoutReader();
    await examples.open(preset);
    restore();
    await pause();
    expect(store.problem.value).toBe(problem);
    expect(examples.current.value).toBeNull();
    expect(address.faulty.value).toEqual({
      hash: preset.hash,
      kind: 'example',
      unread: true,
      costs: null,
      carried: {},
    });
    expect(window.location.hash).toBe(hash);
    await examples.open(preset);
    expect(examples.current.value).toBe(preset);
  });
});
