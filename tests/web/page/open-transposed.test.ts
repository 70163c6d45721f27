import { expect, test } from 'vitest';
import { writeNpz } from '../../../web/src/formats/npy';
import { one, part } from '../support/page/find';
import { open, settle, usePage } from '../support/page/open';
import { click } from '../support/page/user';
import { type PlainArray, transposed } from '../support/plain-layer';

// A transposed convolution in a file is opened as a layer of that kind. Its right values are those of plain loops.

usePage();

async function openFile(arrays: readonly PlainArray[]) {
  const page = await open();
  const file = new File([writeNpz(arrays) as Uint8Array<ArrayBuffer>], 'up.npz');
  const input = part('input[aria-label="array file"], input[title="array file"]') as HTMLInputElement;
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
  return page;
}

const values = (count: number, step: number) => Float32Array.from({ length: count }, (_, i) => ((i * step) % 11) - 5);

/**
 * ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2): each cell of x adds the kernel to a window of y. NCHW. dw sums
 * the products of the same cells of x and dy.
 */
function stamps() {
  const [c, k, groups, size, out] = [4, 6, 2, 3, 6];
  const [x, w, b] = [values(c * size * size, 7), values(c * (k / groups) * 9, 3), values(k, 5)];
  const [dy, dw] = [values(k * out * out, 4), new Float32Array(w.length)];
  const y = Float32Array.from({ length: k * out * out }, (_, at) => b[Math.floor(at / (out * out))] ?? 0);
  for (let from = 0; from < c; from += 1)
    for (let to = 0; to < k / groups; to += 1)
      for (let cell = 0; cell < size * size; cell += 1)
        for (let tap = 0; tap < 9; tap += 1) {
          const row = Math.floor(cell / size) * 2 + Math.floor(tap / 3) - 1;
          const col = (cell % size) * 2 + (tap % 3) - 1;
          if (row < 0 || col < 0 || row >= out || col >= out) continue;
          const channel = Math.floor(from / (c / groups)) * (k / groups) + to;
          const at = (channel * out + row) * out + col;
          const weight = (from * (k / groups) + to) * 9 + tap;
          const value = x[from * size * size + cell] ?? 0;
          y[at] = (y[at] ?? 0) + value * (w[weight] ?? 0);
          dw[weight] = (dw[weight] ?? 0) + value * (dy[at] ?? 0);
        }
  return {
    x: { name: 'x', shape: [1, c, size, size], values: x },
    w: { name: 'up.weight', shape: [c, k / groups, 3, 3], values: w },
    b: { name: 'up.bias', shape: [k], values: b },
    y: { name: 'y', shape: [1, k, out, out], values: y },
    dy: { name: 'dy', shape: [1, k, out, out], values: dy },
    dw: { name: 'dw', shape: [c, k / groups, 3, 3], values: dw },
  };
}

test('opens as layer 2 of a network, and its y is that of the file', async () => {
  const { x, w, b, y } = stamps();
  const page = await openFile([x, w, b, y]);
  expect(part('.judged__sentence', one('dialog')).textContent).toMatch(/right/);
  await click(one('button', 'Open in the view Network', one('dialog')));
  await settle();
  expect(page.look.mode.value).toBe('network');
  expect(page.store.problem.value.layers.map(({ kind }) => kind)).toEqual(['conv', 'conv_transpose']);
  expect(page.store.problem.value.layers[1]?.fields).toMatchObject({
    ...{ k: 6, groups: 2, kh: 3, kw: 3, stride_h: 2, stride_w: 2, output_padding_h: 1, output_padding_w: 1 },
    padding: { top: 1, bottom: 1, left: 1, right: 1 },
  });
  expect(page.currentContent.value?.layers[1]?.tensors.y).toMatchObject({ shape: y.shape, data: y.values });
});

test('of Keras has its channels last', async () => {
  const { x, w, b, y } = stamps();
  // Two groups are one array in PyTorch only: the first group alone.
  const first = (array: PlainArray, shape: readonly number[]): PlainArray => ({
    ...array,
    shape,
    values: array.values.slice(
      0,
      shape.reduce((product, size) => product * size, 1),
    ),
  });
  const arrays = [first(x, [1, 2, 3, 3]), first(w, [2, 3, 3, 3]), first(b, [3]), first(y, [1, 3, 6, 6])] as const;
  const last = transposed(arrays[3], 'NCHW', 'NHWC');
  const page = await openFile([
    transposed(arrays[0], 'NCHW', 'NHWC'),
    transposed(arrays[1], 'IOHW', 'HWOI'),
    arrays[2],
    last,
  ]);
  await click(one('button', 'Open in the view Network', one('dialog')));
  await settle();
  expect(page.currentContent.value?.layers[1]?.tensors.y).toMatchObject({ shape: last.shape, data: last.values });
});

test('without its x says what the file needs', async () => {
  const { w, y } = stamps();
  const dx = { name: 'dx', shape: [1, 4, 3, 3], values: new Float32Array(36) };
  await openFile([{ ...w, name: 'deconv.weight' }, dx, { ...y, name: 'dy' }]);
  const dialog = one('dialog');
  expect(dialog.textContent).toContain(
    'This is a transposed convolution. To open it, save its x, w and y in one file.',
  );
});

test.each([
  ['right', (at: number) => at, 'All 108 values of dw are right'],
  ['flipped', (at: number) => at + 8 - 2 * (at % 9), 'dw was flipped'],
] as const)('names the mistake of a dw: %s', async (_, from, sentence) => {
  const { x, w, b, y, dy, dw } = stamps();
  const wrong = { ...dw, values: dw.values.map((_, at) => dw.values[from(at)] ?? 0) };
  await openFile([x, w, b, y, dy, wrong]);
  expect(one('dialog').textContent).toContain(sentence);
});
