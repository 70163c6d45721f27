import { describe, expect, it } from 'vitest';
import type { Page } from '../../../web/src/app/page/page';
import { writeNpz } from '../../../web/src/formats/npy';
import { all, one, part, says, texts } from '../support/page/find';
import { open, settle, usePage } from '../support/page/open';
import { click, select } from '../support/page/user';
import { changed, type PlainArray, plainLayer, renamed, transposed } from '../support/plain-layer';
import { layerOf } from '../support/problems';

// What the dialog says of the results in a file. The right values are those of plain loops, or worked out by hand.

usePage();

async function openFile(arrays: readonly PlainArray[], name = 'layer.npz'): Promise<void> {
  const file = new File([writeNpz(arrays) as Uint8Array<ArrayBuffer>], name);
  const input = part('input[aria-label="array file"], input[title="array file"]') as HTMLInputElement;
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
}

async function paste(text: string): Promise<void> {
  const event = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { files: [], items: [], getData: () => text } });
  document.body.dispatchEvent(event);
  await settle();
}

const close = () => click(one('button', 'Close', dialog()));
const dialog = (): HTMLElement => one('dialog');
const headline = (): string => (part('.judged__sentence', dialog()).textContent ?? '').replaceAll(/\s+/g, ' ');
const facts = (): string => texts('.judged__facts p', dialog()).join(' ');
/** "✓ y", "✗ dw": of the results of the layer. */
const marks = (): string[] =>
  [...dialog().querySelectorAll('.judged__results th[scope=row]')].map(
    (row) => `${row.querySelector('[aria-hidden]')?.textContent} ${row.querySelector('.judged__name')?.textContent}`,
  );
const sentenceOf = (name: string): string => {
  const row = [...dialog().querySelectorAll('.judged__results tbody tr')].find(
    (row) => row.querySelector('.judged__name')?.textContent === name,
  );
  return row?.querySelector('td')?.textContent ?? '';
};

const LAYER = { h: 6, w: 6, c: 2, k: 3, kernel: 3, stride: 2, padding: 1, seed: 3 } as const;
const everything = Object.values(plainLayer(LAYER));
/** The values of these arrays, with other weights. */
const makeWith = (arrays: Readonly<Record<string, PlainArray>>, w: Float32Array) => (name: string, count: number) =>
  name === 'w' ? w : (arrays[name]?.values ?? new Float32Array(count));
const NAMES = ['y', 'dx', 'dw', 'db'] as const;

it('is shown for a file that is opened between the last dialog and its close event', async () => {
  await open();
  await openFile(everything, 'first.npz');
  const first = dialog() as HTMLDialogElement;
  // A browser sends the event in its next frame.
  first.removeAttribute('open');
  await openFile(everything, 'second.npz');
  first.dispatchEvent(new Event('close'));
  await settle();
  expect(dialog()).toHaveProperty('open', true);
  expect(texts('h2', dialog())).toEqual(['Check of second.npz']);
  await close();
});

describe('a right file', () => {
  it('is right in the order of PyTorch and of TensorFlow, with the geometry that its values give', async () => {
    await open();
    await openFile(everything);
    expect(headline()).toBe('✓right: All 4 results are right.');
    expect(marks()).toEqual(NAMES.map((name) => `✓ ${name}`));
    expect(facts()).toMatch(/stride 2, padding 1, x NCHW, w OIHW: the only one of [\d,]+ that gives y/i);
    await close();
    // TensorFlow's own SAME would pad below and right only.
    const keras = everything.map((array) =>
      array.shape.length < 4
        ? array
        : /w/.test(array.name)
          ? transposed(array, 'OIHW', 'HWIO')
          : transposed(array, 'NCHW', 'NHWC'),
    );
    await openFile(keras);
    expect(marks()).toEqual(NAMES.map((name) => `✓ ${name}`));
    expect(facts()).toContain('x NHWC, w HWIO');
    expect(facts()).toMatch(/stride 2, padding 1/i);
  });

  it.each([
    ['a course', { x: 'A_prev', w: 'W', b: 'b', y: 'Z', dy: 'dZ', dx: 'dA_prev', dw: 'dW', db: 'db' }],
    ['Chainer', { x: 'x', w: 'W', b: 'b', y: 'y', dy: 'gy', dx: 'gx', dw: 'gW', db: 'gb' }],
    [
      'oneDNN',
      {
        ...{ x: 'src', w: 'weights', b: 'bias', y: 'dst', dy: 'diff_dst' },
        ...{ dx: 'diff_src', dw: 'diff_weights', db: 'diff_bias' },
      },
    ],
  ])('with the names of %s is right', async (_, names) => {
    await open();
    await openFile(everything.map((array) => renamed(array, names[array.name as keyof typeof names])));
    expect(marks()).toEqual(NAMES.map((name) => `✓ ${name}`));
    expect(texts('.judged__array', dialog())[2]).toBe(`${names.dw} [3, 2, 3, 3]`);
  });

  it('without dy is right for the loss y.sum(), and opening it sets dy to 1', async () => {
    const page = await open();
    await paste(`x = [[[[1.,2.,3.],[4.,5.,6.],[7.,8.,9.]]]]
w = [[[[1.,0.],[0.,-1.]]]]
y = [[[[-4.,-4.],[-4.,-4.]]]]
dw = [[[[12.,16.],[24.,28.]]]]
dx = [[[[1.,1.,0.],[1.,0.,-1.],[0.,-1.,-1.]]]]`);
    expect(marks()).toEqual(['✓ y', '✓ dx', '✓ dw']);
    expect(says('The file has no dy. dy = 1 everywhere, the gradient of y.sum(), is used.', dialog())).toBe(true);
    await click(one('button', 'Open on the page'));
    expect(page.store.problem.peek().loss).toEqual({ kind: 'given', dy: { kind: 'ones' } });
    expect(layerOf(page.store.problem.peek()).desc).toMatchObject({ h: 3, w: 3, kh: 2, kw: 2, stride_h: 1 });
    expect([...(page.currentContent.peek()?.tensors.dw?.data ?? [])]).toEqual([12, 16, 24, 28]);
  });

  it('opens on the page with its geometry, values and dy, in one step that can be undone', async () => {
    const page = await open();
    const before = page.store.problem.peek();
    await openFile(everything);
    expect(page.store.problem.peek()).toBe(before);
    await click(one('button', 'Open on the page'));
    expect(all('dialog')).toEqual([]);
    const { desc } = layerOf(page.store.problem.peek());
    expect(desc).toMatchObject({ layout: 'nchw', h: 6, w: 6, c: 2, k: 3, kh: 3, kw: 3, stride_h: 2, stride_w: 2 });
    const right = plainLayer(LAYER);
    for (const name of ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'] as const)
      expect([...(page.currentContent.peek()?.tensors[name]?.data ?? [])], name).toEqual([...right[name].values]);
    page.store.undo();
    await settle();
    expect(layerOf(page.store.problem.peek()).desc).toEqual(layerOf(before).desc);
  });
});

it('a layer opens in place of a network', async () => {
  const page = await open('#h=9&kh=3&layer.2=relu&x=random:2&weights=random:5&dy=ones');
  expect(page.store.problem.peek().layers).toHaveLength(2);
  await openFile(everything);
  await click(one('button', 'Open on the page'));
  expect(page.store.problem.peek().layers).toHaveLength(1);
  expect([...(page.currentContent.peek()?.tensors.y?.data ?? [])]).toEqual([...plainLayer(LAYER).y.values]);
  page.store.undo();
  await settle();
  expect(page.store.problem.peek().layers).toHaveLength(2);
});

describe('a wrong result', () => {
  const withDw = (change: (value: number, index: number) => number) =>
    everything.map((array) => (array.name === 'dw' ? changed(array, change) : array));

  it.each([
    ['zeros', () => 0],
    ['the right values plus 1', (value: number) => value + 1],
    ['1.02 times the right values', (value: number) => 1.02 * value],
    ['0.01 times the right values', (value: number) => 0.01 * value],
    ['one cell that is 3 more', (value: number, index: number) => value + (index === 20 ? 3 : 0)],
  ])('of %s is never right', async (_, change) => {
    await open();
    await openFile(withDw(change));
    expect(headline()).toContain('1 of 4 results is wrong');
    expect(marks()).toEqual(['✓ y', '✓ dx', '✗ dw', '✓ db']);
  });

  it('of one cell names the cell, your value and the right one', async () => {
    await open();
    const right = plainLayer(LAYER).dw.values[20] ?? 0;
    await openFile(withDw((value, index) => value + (index === 20 ? 3 : 0)));
    // 20 = ((1 * 2 + 0) * 3 + 0) * 3 + 2
    const [, cell, yours, ours] = /at (dw\[.*?\]): yours (\S+), right (\S+)\./.exec(sentenceOf('dw')) ?? [];
    expect(cell).toBe('dw[1, 0, 0, 2]');
    expect([Number(yours), Number(ours)]).toEqual([right + 3, right].map((value) => expect.closeTo(value, 4)));
  });

  it('that a mistake gives is named, with its lesson', async () => {
    const page = await open();
    // The rotated kernel, as in a true convolution.
    const { w, ...others } = plainLayer({ h: 5, w: 5, c: 1, k: 1, kernel: 3, seed: 5 });
    const rotated = plainLayer({
      h: 5,
      w: 5,
      c: 1,
      k: 1,
      kernel: 3,
      seed: 5,
      make: makeWith(others, w.values.toReversed()),
    });
    await openFile([...Object.values({ ...others, w }).filter(({ name }) => name !== 'y'), rotated.y]);
    expect(marks()).toEqual(['✗ y', '✓ dx', '✓ dw', '✓ db']);
    expect(sentenceOf('y')).toContain('All 9 values of y are what this mistake gives');
    await click(one('button', /^See the lesson/));
    expect(all('dialog')).toEqual([]);
    expect(page.look.lesson.peek()).not.toBeNull();
  });

  it('of another size says which size it must have, and why', async () => {
    await open();
    const layer = { h: 6, w: 6, c: 1, k: 1, kernel: 3, stride: 2 };
    const { dx, ...others } = plainLayer(layer);
    // The last row and column of x: no window reads them.
    const cells = [...dx.values].filter((_, index) => index % 6 < 5 && index < 30);
    await openFile([...Object.values(others), { ...dx, shape: [1, 1, 5, 5], values: Float32Array.from(cells) }]);
    expect(marks()).toEqual(['✓ y', '✗ dx', '✓ dw', '✓ db']);
    expect(sentenceOf('dx')).toContain('dx is [1, 1, 5, 5], but must be [1, 1, 6, 6]');
    expect(sentenceOf('dx')).toContain('no window reads');
  });
});

describe('what cannot be judged', () => {
  it('is said, with the operand that is missing', async () => {
    await open('#h=3&kh=2&x=ramp&weights=countdown:4&dy=ones&hidden=y');
    await paste('y = [13, 23, 43, 53]');
    expect(headline()).toContain('No result can be judged');
    expect(marks()).toEqual(['? y']);
    expect(says('hidden, so its values are not used', dialog())).toBe(true);
    expect(dialog().textContent).not.toContain('✓');
  });

  it('is said with what to save, and is not compared cell by cell', async () => {
    await open();
    const { w, dx, dw } = plainLayer(LAYER);
    await openFile([w, dx, dw]);
    expect(marks()).toEqual(['? dx', '? dw']);
    expect(facts()).toContain('Missing: x, dy. Save them in the same file');
    expect(all('button', /cell by cell/)).toEqual([]);
  });

  it('names every array that is not used', async () => {
    await open();
    await openFile([...everything, { name: 'epoch', shape: [1], values: Float32Array.of(7) }]);
    expect(says('Not used: epoch.', dialog())).toBe(true);
  });

  it('is asked of the page where the file has no operands, and says so', async () => {
    // y[0,0] = 0*4 + 1*3 + 3*2 + 4*1, and so on.
    await open('#h=3&kh=2&x=ramp&weights=countdown:4&dy=ones');
    await paste('y = [[13, 23], [43, 53]]');
    expect(marks()).toEqual(['✓ y']);
    expect(sentenceOf('y')).toContain('operands of this page');
    await close();
    await paste('y = [[13, 23], [43, 54]]');
    expect(marks()).toEqual(['✗ y']);
  });
});

describe('several layers', () => {
  const layers = (wrong: string) =>
    [1, 2, 3].flatMap((number) =>
      Object.values(plainLayer({ h: 5, w: 5, c: 2, k: 2, kernel: 3, padding: 1, seed: number })).map((array) => {
        const name = `layer${number}.${array.name}`;
        return name === wrong
          ? renamed(
              changed(array, (value) => -value),
              name,
            )
          : renamed(array, name);
      }),
    );

  it('are a table; the first wrong one is shown, and another one on request', async () => {
    await open();
    await openFile(layers('layer2.dw'));
    expect(headline()).toBe('✗wrong: 1 of 12 results is wrong.');
    expect(says('The first wrong layer backwards is layer2.', dialog())).toBe(true);
    expect(marks()).toEqual(['✓ y', '✓ dx', '✗ dw', '✓ db']);
    expect(one('button', 'layer2').getAttribute('aria-pressed')).toBe('true');
    await click(one('button', 'layer3'));
    expect(marks()).toEqual(NAMES.map((name) => `✓ ${name}`));
  });

  it('of a right file are all right', async () => {
    await open();
    await openFile(layers(''));
    expect(headline()).toBe('✓right: All 12 results are right.');
  });
});

it('a layer of 512 channels is judged, and says why it cannot be opened', async () => {
  await open();
  const { x, w, y } = plainLayer({ h: 3, w: 3, c: 512, k: 4, kernel: 3, padding: 1 });
  await openFile([
    x,
    w,
    { ...y, values: y.values.map((value, index) => value - (plainBias[Math.floor(index / 9)] ?? 0)) },
  ]);
  expect(marks()).toEqual(['✓ y']);
  expect(one('button', 'Open on the page').getAttribute('aria-disabled')).toBe('true');
  expect(says(/c is 512, but at most 256/i, dialog())).toBe(true);
});
const plainBias = [...plainLayer({ h: 3, w: 3, c: 512, k: 4, kernel: 3, padding: 1 }).b.values];

it('alternatives that fit as well are listed, and one of them can be chosen', async () => {
  await open();
  // All values are 1: many geometries give this y.
  const { x, w, y } = plainLayer({
    h: 4,
    w: 4,
    c: 1,
    k: 1,
    kernel: 1,
    make: (_, count) => new Float32Array(count).fill(1),
  });
  const rows = { ...y, shape: [1, 1, 2, 2], values: new Float32Array(4).fill(1) };
  await openFile([x, w, rows]);
  expect(says('Others fit as well.', dialog())).toBe(true);
  const [first] = all('button', /^Use stride/);
  expect(first).toBeDefined();
  const words = first?.getAttribute('aria-label')?.slice('Use '.length) ?? '';
  await click(first as HTMLElement);
  expect(facts().toLowerCase()).toContain(words.split(',')[0]);
  await click(one('button', 'Check the file as it is'));
});

it('an alternative with another order of the axes can be chosen', async () => {
  await open();
  // A y of zeros fits every order.
  const make = (name: string, count: number) =>
    Float32Array.from({ length: count }, (_, i) => (name === 'w' ? (i % 7) - 3 : 0));
  const { x, w, y } = plainLayer({ h: 3, w: 3, c: 3, k: 3, kernel: 3, padding: 1, make });
  await openFile([x, w, y]);
  const ordersOf = (words: string) => /x \w+, w \w+/.exec(words)?.[0];
  const first = ordersOf(facts());
  const wordsOf = (button: HTMLElement) => button.getAttribute('aria-label') ?? '';
  const other = all('button', /^Use stride/).find((button) => ordersOf(wordsOf(button)) !== first) as HTMLElement;
  const orders = ordersOf(wordsOf(other)) ?? 'none';
  await click(other);
  expect(facts()).toContain(orders);
  expect(orders).not.toBe(first);
});

it('which array is which tensor can be corrected', async () => {
  await open();
  // dx and x have exchanged names.
  const swapped = { x: 'dx', dx: 'x' } as Readonly<Record<string, string>>;
  await openFile(everything.map((array) => renamed(array, swapped[array.name] ?? array.name)));
  expect(marks()).not.toEqual(NAMES.map((name) => `✓ ${name}`));
  await select(one('combobox', 'x'), String(everything.findIndex(({ name }) => name === 'x')));
  await select(one('combobox', 'dx'), String(everything.findIndex(({ name }) => name === 'dx')));
  expect(marks()).toEqual(NAMES.map((name) => `✓ ${name}`));
});

it('inputs alone are imported without a check, by their names or sizes', async () => {
  const page: Page = await open();
  await paste('x = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]\nw = [[1, 0], [0, -1]]');
  expect(says('Sizes that change: height 7 → 3, width 7 → 3, kernel height 3 → 2', dialog())).toBe(true);
  await click(one('button', 'Import x, w'));
  // Stride 2 and padding 1 of the page stay.
  expect(layerOf(page.store.problem.peek()).desc).toMatchObject({ h: 3, kh: 2, stride_h: 2, padding: { top: 1 } });
});
