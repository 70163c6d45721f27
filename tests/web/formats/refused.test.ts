import { expect, test } from 'vitest';
import { openFile } from '../../../web/src/formats/formats';
import { sourceOf } from '../../../web/src/formats/in-memory';
import { writeNpy } from '../../../web/src/formats/npy';
import { writeNpz } from '../../../web/src/formats/npz';
import { writeCase } from '../../../web/src/formats/write-case';
import { writeZip } from '../../../web/src/formats/zip';
import { FILE_LIMITS } from '../../../web/src/protocol/file-limits';
import type { Geometry } from '../../../web/src/protocol/problem';
import { bytesFrom, bytesOfMade, readBytes, readString, watched } from './read';

/** Each way in which a file or a text is refused: the reason, and where it stands. */

test.each([
  ['', /^no numbers are in it$/],
  ['# only a remark', /^no numbers are in it$/],
  ['1,2\n3', /^line 2, column 1: this line has 1 number, but line 1 has 2$/],
  ['1,2\n3,abc', /^line 2, column 3: “abc” is no number$/],
  ['1\t\t2\n3\t4\t5', /^line 1, column 3: cell 2 of this line is empty$/],
  ['1 2\n3 4\n\n5 6', /blocks of lines.*differ: the first has 2, number 2 has 1/],
  ['1 ... 2', /line 1, column 3: numbers were left out/],
  ['[1, 2, ..., 9]', /line 1, column 8: numbers were left out/],
  ['[1, 2, …]', /line 1, column 8: numbers were left out/],
  [
    'tensor([[1., 2.],\n        [3.]])',
    /^line 2, column 9: part 2 of this list is one number in brackets, .* are 2 numbers each$/,
  ],
  ['[1, [2]]', /^line 1, column 5: part 2 of this list is one number in brackets, .* are a single number each$/],
  ['[1, 2', /^line 1, column 1: the bracket “\[” is never closed$/],
  ['array([1, 2]', /^line 1, column 1: the bracket of “array” is never closed$/],
  ['[1+2j]', /^line 1, column 2: this is a complex number/],
  ['[2j]', /complex number/],
  ['[1.2.3]', /^line 1, column 2: “1\.2\.3” is no number$/],
  ['[1, None]', /“None” stands among numbers and is none/],
  ['[-- 1]', /masked out/],
  ['masked_array(data=[1, 2], mask=[0, 1])', /masked numbers are not read/],
  ['tensor(indices=tensor([[0]]), values=tensor([1.]), size=(1, 1))', /holds no numbers that can be read here/],
  ['array([1, 2, 3]).reshape(2, 2)', /3 numbers cannot have the sizes \[2, 2\]/],
  ['[1, ?]', /^line 1, column 5: “\?” stands where a number should$/],
  ["{'x': [1], 'x': [2]}", /“x” stands here a second time/],
  ["{'x' [1]}", /a colon should follow/],
  ["{'x': [1] 'y': [2]}", /a comma or “}” should follow/],
  ["{'x: [1]}", /the quotation mark is never closed/],
  ["{'name': 'value'}", /none of its entries is a list of numbers/],
  ["['a', 'b']", /no numbers are in it/],
  [`${'['.repeat(40)}1${']'.repeat(40)}`, /more than 24 brackets/],
  [`${'['.repeat(9)}1${']'.repeat(9)}`, /has 9 axes, but at most 8/],
  ['x = ', /the text ends where a number/],
])('text %j', async (text, sentence) => {
  expect(await readString(text)).toMatch(sentence);
});

test('a text that is too long is not looked at', async () => {
  expect(await readString(' '.repeat(FILE_LIMITS.characters + 1))).toMatch(
    /2,097,153 characters; at most 2,097,152 are read/,
  );
  expect(await readBytes('a.csv', new Uint8Array(FILE_LIMITS.characters + 1).fill(49))).toMatch(/of text, at most/);
});

/** A .npy with this dictionary and so many bytes behind it. */
function npyWith(dictionary: string, data: number, version = 1): Uint8Array {
  const text = bytesFrom(dictionary);
  return Uint8Array.from([0x93, 78, 85, 77, 80, 89, version, 0, text.length, 0, ...text, ...new Uint8Array(data)]);
}
const dictionary = (descr: string, shape: string) => `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}}`;
const plain = writeNpy([2, 3], new Float32Array(6));

test.each([
  [
    'cut off in its numbers',
    plain.subarray(0, -1),
    /^byte 128: 2 × 3 numbers of float32 need 24 bytes, but only 23 follow$/,
  ],
  ['with something behind', Uint8Array.from([...plain, 7]), /^byte 152: 1 byte follows behind the last number$/],
  ['cut off in its header', plain.subarray(0, 50), /^byte 50: the file ends within its header$/],
  ['of another version', Uint8Array.from([...plain.subarray(0, 6), 9, ...plain.subarray(7)]), /^byte 6: version 9/],
  ['of no numbers at all', npyWith('hello', 0), /^byte 10: the header is no dictionary/],
  ['without sizes', npyWith("{'descr': '<f4', 'fortran_order': False}", 0), /must say descr, fortran_order and shape/],
  ['with a size below 0', npyWith(dictionary('<f4', '(-1,)'), 0), /a size of -1, which is no count/],
  ['of more than is read', npyWith(dictionary('<f4', '(99999, 99999)'), 0), /more numbers than the 16,777,216/],
  ['of sizes beyond all numbers', npyWith(dictionary('<f4', '(1e300,)'), 0), /which is no count/],
  ['of a long double', npyWith(dictionary('<f16', '(1,)'), 16), /\(<f16\) are of a type that is not read/],
  ['of dates', npyWith(dictionary('<M8[s]', '(1,)'), 8), /dates, not numbers/],
  [
    'with a header without end',
    Uint8Array.from([0x93, 78, 85, 77, 80, 89, 2, 0, 255, 255, 255, 255]),
    /^byte 8: a header of/,
  ],
])('a .npy %s', async (_, bytes, sentence) => {
  expect(await readBytes('a.npy', bytes)).toMatch(sentence);
});

test('a .npy that is something else says what it does not begin with', async () => {
  expect(await readBytes('a.npy', bytesFrom('1,2,3'))).toBe(
    'byte 0: this is no NumPy array: it does not begin with \\x93NUMPY',
  );
});

const archive = writeNpz([{ name: 'x', shape: [2], values: Float32Array.of(1, 2) }]);
const changed = (bytes: Uint8Array, at: number, byte: number) => {
  const copy = Uint8Array.from(bytes);
  copy[at < 0 ? copy.length + at : at] = byte;
  return copy;
};
/** Where the directory of `archive` begins: its header, its file's name and its file. */
const directory = 30 + 'x.npy'.length + (128 + 8);

test.each([
  [
    'whose number was changed',
    changed(archive, directory - 1, 9),
    /^byte 35: x\.npy is damaged: its check sum does not fit$/,
  ],
  ['cut off', archive.subarray(0, -1), /the archive has no end: the file was cut off/],
  ['of a damaged directory', changed(archive, directory, 0), /directory is damaged at entry 1 of 1/],
  ['of a directory elsewhere', changed(archive, -4, 255), /directory lies outside the file/],
  ['of too many files', changed(archive, -11, 255), /the archive has 65281 files; at most 4096/],
  ['that is encrypted', changed(archive, directory + 8, 1), /x\.npy is encrypted/],
  ['compressed otherwise', changed(archive, directory + 10, 12), /compressed in a way \(12\) that is not read/],
  ['whose file is elsewhere', changed(archive, directory + 42, 3), /does not begin where the archive's directory says/],
  ['whose file is cut off', changed(changed(archive, directory + 22, 1), directory + 26, 1), /x\.npy was cut off/],
])('an .npz %s', async (_, bytes, sentence) => {
  expect(await readBytes('a.npz', bytes)).toMatch(sentence);
});

test('deflated numbers that are damaged, too few or too many are refused', async () => {
  const bytes = bytesOfMade('deflated.npz');
  const start = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 6, true);
  // NumPy gives its files' headers another 20 bytes.
  expect(await readBytes('a.npz', changed(bytes, 30 + 'x.npy'.length + 20, 255))).toBe(
    'x: what was compressed here is damaged',
  );
  // The file is said to be longer or shorter than what was deflated.
  expect([...bytes.subarray(start + 24, start + 26)]).toEqual([0, 1]);
  expect(await readBytes('a.npz', changed(bytes, start + 24, 1))).toMatch(/1 byte follows behind/);
  expect(await readBytes('a.npz', changed(changed(bytes, start + 25, 0), start + 24, 255))).toMatch(
    /need 128 bytes, but only 127 follow/,
  );
  const ends = await openFile(sourceOf('a.npz', changed(bytes, start + 20, 40)));
  expect('refusal' in ends && ends.refusal.reason).toMatch(/compressed (?:numbers end|here is damaged)/);
});

test.each([
  ['from torch.save', 'net/data.pkl', /file of torch\.save/],
  ['of a spreadsheet', 'xl/workbook.xml', /workbook of a spreadsheet/],
  ['of other things', 'readme.md', /^no NumPy arrays are in this archive$/],
])('an archive %s is called what it is', async (_, name, sentence) => {
  expect(await readBytes('a.npz', writeZip([{ name, bytes: plain }]))).toMatch(sentence);
});

const network = bytesOfMade('network.safetensors');
const headed = (header: string, data = 0) => {
  const text = bytesFrom(header);
  return Uint8Array.from([text.length & 255, text.length >> 8, 0, 0, 0, 0, 0, 0, ...text, ...new Uint8Array(data)]);
};

test.each([
  ['cut off', network.subarray(0, -1), /conv1\.weight|counts: bytes \d+ to \d+ are not those/],
  ['cut off in its header', network.subarray(0, 100), /a header of \d+ bytes does not fit into this file/],
  ['of no JSON', headed('{"a": ]}'), /^byte 8: the header is not what it should be/],
  ['without offsets', headed('{"a": {"dtype": "F32", "shape": [1]}}'), /a: the header must say dtype, shape/],
  [
    'of other sizes',
    headed('{"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}', 4),
    /are not those of 2 numbers of F32/,
  ],
  [
    'of another type',
    headed('{"a": {"dtype": "F8_E4M3", "shape": [1], "data_offsets": [0, 1]}}', 1),
    /type F8_E4M3, which is not read/,
  ],
  ['of nothing', headed('{"__metadata__": {}}'), /no tensors are in it/],
])('.safetensors %s', async (_, bytes, sentence) => {
  expect(await readBytes('a.safetensors', bytes)).toMatch(sentence);
});

test.each([
  ['{"a": [1, 2}', /line 1, column 12: “}” stands where a number should/],
  ['[1] [2]', /line 1, column 5: something follows behind the end/],
  ['{"x_shape": [1], "w_shape": [1,1,1,1]}', /must have four sizes each/],
  ['{"x_shape": [1,1,1,1], "w_shape": [1,1,1,1], "layout": "HWC"}', /layout must be "NHWC" or "NCHW"/],
  ['{"x_shape": [1,1,1,1], "w_shape": [1,1,1,1], "invalid": true}', /this case describes an error/],
  [
    '{"x_shape": [1,1,1,2], "w_shape": [1,1,2,1], "y_shape": [1,1,1,1], "layout": "NHWC", "stride": [1,1], "dilation": [1,1], "groups": 1, "padding": "SAME", "x": [1]}',
    /x has 1 numbers, but its sizes 1 × 1 × 1 × 2 need 2/,
  ],
])('JSON %j', async (text, sentence) => {
  expect(await readBytes('a.json', bytesFrom(text))).toMatch(sentence);
});

test.each([
  ['a.csv', [0x89, 0x50, 0x4e, 0x47, 13, 10], /^byte 0: this is a picture \(PNG\), not numbers$/],
  ['a.csv', [0xff, 0xd8, 0xff, 0xe0], /JPEG/],
  ['a.txt', [0x25, 0x50, 0x44, 0x46], /PDF/],
  ['a', [0x89, 0x48, 0x44, 0x46], /HDF5/],
  ['a.npy', [0x1f, 0x8b, 8], /gzip/],
  ['a.pkl', [0x80, 4, 0x95], /pickle of Python, which holds a program that is never run/],
  ['a.bin', [1, 2, 0, 4], /^byte 2: this is no text/],
  ['a.csv', [], /^the file is empty$/],
])('%s that begins with %j is called what it is', async (name, bytes, sentence) => {
  expect(await readBytes(name, Uint8Array.from(bytes))).toMatch(sentence);
});

test('what cannot be fetched is a sentence, too', async () => {
  const gone = { ...sourceOf('gone.npy', plain), bytes: () => Promise.reject(new Error('NotReadableError')) };
  expect(await openFile(gone)).toEqual({
    refusal: { reason: 'gone.npy could not be read: was it moved or changed meanwhile?', place: null },
  });
});

test('of a network only the header is read, then the tensor that is chosen', async () => {
  const { source, seen } = watched(sourceOf('network.safetensors', network));
  const opened = await openFile(source);
  if ('refusal' in opened) throw new Error(opened.refusal.reason);
  const header = network.length - (48 + 16 + 4 + 6 + 24);
  expect(seen.bytes).toBeLessThanOrEqual(header + 16);
  const before = seen.bytes;
  await opened.tensors.find(({ name }) => name === 'half')?.read();
  expect(seen.bytes - before).toBe(4);
});

test('a tensor that is too large is refused when it is chosen, and its neighbours are read', async () => {
  const count = FILE_LIMITS.elements + 1;
  const header = `{"big": {"dtype": "U8", "shape": [${count}], "data_offsets": [0, ${count}]}, "small": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}`;
  const bytes = new Uint8Array(8 + header.length + count);
  bytes.set(headed(header));
  const opened = await openFile(sourceOf('a.safetensors', bytes));
  if ('refusal' in opened) throw new Error(opened.refusal.reason);
  const [big, small] = await Promise.all(opened.tensors.map(({ read }) => read()));
  expect(big).toMatchObject({ refusal: { reason: /big: the tensor \[16777217\] has more numbers than/ } });
  expect(small).toMatchObject({ values: Float32Array.of(0) });
});

test('a case that JSON has no words for is not written', () => {
  const one = Float32Array.of(1);
  const inputs = { x: Float32Array.of(Number.NaN), w: one, b: null, dy: one };
  const results = { y: one, dx: one, dw: one, db: one };
  const written = writeCase({
    name: '',
    geometry: {} as Geometry,
    inputs,
    results,
    atol: { y: 0, dx: 0, dw: 0, db: 0 },
    link: '',
  });
  expect(written).toMatchObject({ refusal: { reason: 'x has NaN at index 0: JSON has no word for that' } });
});
