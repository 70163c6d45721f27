import { expect, test } from 'vitest';
import { openFile } from '../../../web/src/formats/formats';
import { writeNpy, writeNpz } from '../../../web/src/formats/npy';
import { writeCase } from '../../../web/src/formats/write';
import { writeZip } from '../../../web/src/formats/zip';
import { FILE_LIMITS } from '../../../web/src/protocol/file-limits';
import type { Geometry } from '../../../web/src/protocol/problem';
import { bytesFrom, bytesOfMade, readBytes, readString, watched } from './read';
import { sourceOf } from './source';

/** Refused files and texts: the reason and its position. */

test.each([
  ['', /^it contains no numbers$/],
  ['# only a remark', /^it contains no numbers$/],
  ['1,2\n3', /^line 2, column 1: this line has 1 number, but line 1 has 2$/],
  ['1,2\n3,abc', /^line 2, column 3: “abc” is not a number$/],
  ['1\t\t2\n3\t4\t5', /^line 1, column 3: cell 2 of this line is empty$/],
  [
    '1,000\t2,000',
    /^line 1, column 1: “1,000” is ambiguous\. Use a point before decimals and no thousands separators$/,
  ],
  ['12,345\t1', /^line 1, column 1: “12,345” is ambiguous/],
  ['1\t-1,234,567', /^line 1, column 3: “-1,234,567” is ambiguous/],
  ['1\t\u22121,234', /^line 1, column 3: “\u22121,234” is ambiguous/],
  ['1,234;5', /^line 1, column 1: “1,234” is ambiguous/],
  ['1,234.5\t1', /^line 1, column 1: “1,234\.5” is ambiguous/],
  ['1,234\t0.5', /^line 1, column 1: “1,234” is ambiguous/],
  ['0,5\t1.234', /^line 1, column 1: “0,5” is ambiguous/],
  ['0.5\t1\n2\t0,25', /^line 2, column 3: “0,25” is ambiguous/],
  ['1,234,567\t0,5', /^line 1, column 1: “1,234,567” is ambiguous/],
  ['1,000\n2,500', /^line 1, column 1: “1,000” is ambiguous/],
  ['1 2\n3 4\n\n5 6', /block 1 has 2 lines, block 2 has 1/],
  ['1 ... 2', /line 1, column 3: “…” stands for numbers/],
  ['[1, 2, ..., 9]', /line 1, column 8: “…” stands for numbers/],
  ['[1, 2, …]', /line 1, column 8: “…” stands for numbers/],
  [
    'tensor([[1., 2.],\n        [3.]])',
    /^line 2, column 9: item 2 of this list is 1 number in brackets, .* are 2 numbers each$/,
  ],
  ['[1, [2]]', /^line 1, column 5: item 2 of this list is 1 number in brackets, .* are a single number each$/],
  ['[1, 2', /^line 1, column 1: the bracket “\[” is not closed$/],
  ['array([1, 2]', /^line 1, column 1: the bracket of “array” is not closed$/],
  ['[1+2j]', /^line 1, column 2: complex numbers are not supported/],
  ['[2j]', /complex numbers are not supported/],
  ['[1.2.3]', /^line 1, column 2: “1\.2\.3” is not a number$/],
  ['[1, None]', /“None” is not a number/],
  ['[-- 1]', /a masked value cannot be read/],
  ['masked_array(data=[1, 2], mask=[0, 1])', /masked arrays are not supported/],
  ['tensor(indices=tensor([[0]]), values=tensor([1.]), size=(1, 1))', /tensor\(…\) contains no numbers/],
  ['array([1, 2, 3]).reshape(2, 2)', /3 numbers do not fit the shape \[2, 2\]/],
  ['[1, ?]', /^line 1, column 5: expected a number, found “\?”$/],
  ["{'x': [1], 'x': [2]}", /the name “x” occurs twice/],
  ["{'x' [1]}", /a colon is missing after the name “x”/],
  ["{'x': [1] 'y': [2]}", /a comma or “}” is missing/],
  ["{'x: [1]}", /the quotation mark is never closed/],
  ["{'name': 'value'}", /none of its entries is a list of numbers/],
  ["['a', 'b']", /it contains no numbers/],
  [`${'['.repeat(40)}1${']'.repeat(40)}`, /nested more than 24 deep/],
  [`${'['.repeat(9)}1${']'.repeat(9)}`, /has 9 axes; the limit is 8/],
  ['x = ', /a number or a bracket is missing at the end/],
  ['x = np.sqrt([[1, 4]])', /^line 1, column 5: “np\.sqrt\(…\)” is a computation\. Print its result and paste that$/],
  ['x = -torch.relu(tensor([1.]))', /^line 1, column 5: “torch\.relu\(…\)” is a computation/],
  ['x = abs([1, -2])', /“abs\(…\)” is a computation/],
  ['x = np.transpose([[1, 2]])', /“np\.transpose\(…\)” is a computation/],
  ['w = np.rot90([[1,2],[3,4]])', /“np\.rot90\(…\)” is a computation/],
  ['b = np.zeros(1)', /“np\.zeros\(…\)” is a computation/],
  ['w = np.ones((3, 3))', /“np\.ones\(…\)” is a computation/],
  ['x = torch.randn(1,1,5,5)', /“torch\.randn\(…\)” is a computation/],
  ['w = np.eye(3)', /“np\.eye\(…\)” is a computation/],
  ['x = np.arange(25)', /“np\.arange\(…\)” is a computation/],
  ['x = np.array(np.arange(25))', /^line 1, column 14: “np\.arange\(…\)” is a computation/],
  ['x = torch.Tensor(3, 3)', /“torch\.Tensor\(…\)” is a computation/],
  ['x = torch.Tensor(5)', /“torch\.Tensor\(…\)” is a computation/],
  ['x = tf.constant(0, shape=(2, 2))', /1 number do not fit the shape \[2, 2\]/],
  ['x = np.array([[1, 2], [3, 4]])[0]', /^line 1, column 31: this is a computation/],
  ['x = [[1, 2], [3, 4]][0]', /^line 1, column 21: this is a computation/],
  ['x = np.array([1, 2])-1', /^line 1, column 21: this is a computation/],
  ['x = np.array([1, 2]) -1', /^line 1, column 22: this is a computation/],
  ['x = [1, 2] * 2', /^line 1, column 12: this is a computation/],
  ['w = np.array([[1, 2]]).T', /^line 1, column 23: this is a computation/],
  ['[1 2; 3]', /^line 1, column 1: row 2 of this matrix has 1 number, but row 1 has 2$/],
  ['[1 2;; 3 4]', /^line 1, column 6: expected a number, found “;”$/],
  ["OrderedDict([('a', tensor([1.]))", /^line 1, column 1: the bracket of the dictionary is not closed$/],
  ["OrderedDict([('a')])", /a has no value/],
  ["OrderedDict([('a', [1]), ('a', [2])])", /the name “a” occurs twice/],
  ["OrderedDict([('a', torch.ones(2))])", /^line 1, column 20: “torch\.ones\(…\)” is a computation/],
])('refuses the text %j', async (text, sentence) => {
  expect(await readString(text)).toMatch(sentence);
});

test('refuses a text above the limit without reading it', async () => {
  expect(await readString(' '.repeat(FILE_LIMITS.characters + 1))).toMatch(
    /2,097,153 characters; the limit is 2,097,152/,
  );
  expect(await readBytes('a.csv', new Uint8Array(FILE_LIMITS.characters + 1).fill(49))).toMatch(
    /the limit for text is/,
  );
});

/** A .npy with this dictionary and `data` bytes of values. */
function npyWith(dictionary: string, data: number, version = 1): Uint8Array {
  const text = bytesFrom(dictionary);
  return Uint8Array.from([0x93, 78, 85, 77, 80, 89, version, 0, text.length, 0, ...text, ...new Uint8Array(data)]);
}
const dictionary = (descr: string, shape: string) => `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}}`;
const plain = writeNpy([2, 3], new Float32Array(6));

test.each([
  [
    'truncated in its values',
    plain.subarray(0, -1),
    /^byte 128: 2 × 3 numbers of float32 need 24 bytes, but only 23 follow$/,
  ],
  ['with an extra byte', Uint8Array.from([...plain, 7]), /^byte 152: 1 extra byte after the last number$/],
  ['truncated in its header', plain.subarray(0, 50), /^byte 50: the file ends within its header$/],
  ['of another version', Uint8Array.from([...plain.subarray(0, 6), 9, ...plain.subarray(7)]), /^byte 6: version 9/],
  ['without a dictionary', npyWith('hello', 0), /^byte 10: the header is not a Python dictionary/],
  [
    'without a shape',
    npyWith("{'descr': '<f4', 'fortran_order': False}", 0),
    /must contain descr, fortran_order and shape/,
  ],
  ['with a negative size', npyWith(dictionary('<f4', '(-1,)'), 0), /a size of -1, which is not valid/],
  ['above the limit', npyWith(dictionary('<f4', '(99999, 99999)'), 0), /more numbers than the limit of 16,777,216/],
  ['with a size above 2^53', npyWith(dictionary('<f4', '(1e300,)'), 0), /which is not valid/],
  ['of long doubles', npyWith(dictionary('<f16', '(1,)'), 16), /\(<f16\) are of a type that is not supported/],
  [
    'of bfloat16',
    npyWith(dictionary('<V2', '(1,)'), 2),
    /\(<V2\) are bytes .* bfloat16: save x\.astype\(numpy\.float32\)$/,
  ],
  ['of 8-bit floats', npyWith(dictionary('|V1', '(1,)'), 1), /8-bit floats: save x\.astype\(numpy\.float32\)$/],
  ['of dates', npyWith(dictionary('<M8[s]', '(1,)'), 8), /dates, not numbers/],
  [
    'with too long a header',
    Uint8Array.from([0x93, 78, 85, 77, 80, 89, 2, 0, 255, 255, 255, 255]),
    /^byte 8: a header of/,
  ],
])('refuses a .npy %s', async (_, bytes, sentence) => {
  expect(await readBytes('a.npy', bytes)).toMatch(sentence);
});

test('refuses a .npy without the magic bytes', async () => {
  expect(await readBytes('a.npy', bytesFrom('1,2,3'))).toBe(
    'byte 0: this is not a NumPy array: it does not begin with \\x93NUMPY',
  );
});

const archive = writeNpz([{ name: 'x', shape: [2], values: Float32Array.of(1, 2) }]);
const changed = (bytes: Uint8Array, at: number, byte: number) => {
  const copy = Uint8Array.from(bytes);
  copy[at < 0 ? copy.length + at : at] = byte;
  return copy;
};
/** Offset of the directory of `archive`: after the header, the name and the data of its file. */
const directory = 30 + 'x.npy'.length + (128 + 8);

test.each([
  [
    'with a changed value',
    changed(archive, directory - 1, 9),
    /^byte 35: x\.npy is damaged: its checksum does not match$/,
  ],
  ['that is truncated', archive.subarray(0, -1), /the file is truncated: the archive has no end record/],
  ['with a damaged directory', changed(archive, directory, 0), /directory is damaged at entry 1 of 1/],
  ['with a directory outside the file', changed(archive, -4, 255), /directory is outside the file/],
  ['with too many files', changed(archive, -11, 255), /the archive has 65281 files; the limit is 4096/],
  ['that is encrypted', changed(archive, directory + 8, 1), /x\.npy is encrypted/],
  [
    'with another compression method',
    changed(archive, directory + 10, 12),
    /uses compression method 12, which is not supported/,
  ],
  ['with a wrong offset', changed(archive, directory + 42, 3), /is not at its offset in the archive's directory/],
  ['with a truncated file', changed(changed(archive, directory + 22, 1), directory + 26, 1), /x\.npy is truncated/],
])('refuses an .npz %s', async (_, bytes, sentence) => {
  expect(await readBytes('a.npz', bytes)).toMatch(sentence);
});

test('refuses damaged, truncated and overlong compressed data', async () => {
  const bytes = bytesOfMade('deflated.npz');
  const start = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 6, true);
  // NumPy adds 20 bytes to the file header.
  expect(await readBytes('a.npz', changed(bytes, 30 + 'x.npy'.length + 20, 255))).toBe(
    'x: the compressed data is damaged',
  );
  // A file size in the header that is larger or smaller than the data.
  expect([...bytes.subarray(start + 24, start + 26)]).toEqual([0, 1]);
  expect(await readBytes('a.npz', changed(bytes, start + 24, 1))).toMatch(/1 extra byte after/);
  expect(await readBytes('a.npz', changed(changed(bytes, start + 25, 0), start + 24, 255))).toMatch(
    /need 128 bytes, but only 127 follow/,
  );
  const ends = await openFile(sourceOf('a.npz', changed(bytes, start + 20, 40)));
  expect('refusal' in ends && ends.refusal.reason).toMatch(/the compressed data (?:ends|is damaged)/);
});

test.each([
  ['from torch.save', 'net/data.pkl', /torch\.save file/],
  ['of Keras', 'model.weights.h5', /^this is a Keras model: load it, and save .* with numpy\.savez$/],
  ['of a spreadsheet', 'xl/workbook.xml', /spreadsheet workbook/],
  ['of other things', 'readme.md', /^the archive contains no NumPy arrays$/],
])('names the format of an archive %s', async (_, name, sentence) => {
  expect(await readBytes('a.npz', writeZip([{ name, bytes: plain }]))).toMatch(sentence);
});

const network = bytesOfMade('network.safetensors');
const headed = (header: string, data = 0) => {
  const text = bytesFrom(header);
  return Uint8Array.from([text.length & 255, text.length >> 8, 0, 0, 0, 0, 0, 0, ...text, ...new Uint8Array(data)]);
};

test.each([
  ['that is truncated', network.subarray(0, -1), /conv1\.weight|counts: bytes \d+ to \d+ do not hold/],
  ['truncated in its header', network.subarray(0, 100), /a header of \d+ bytes is too long for this file/],
  ['without valid JSON', headed('{"a": ]}'), /^byte 8: the header is not valid/],
  ['without offsets', headed('{"a": {"dtype": "F32", "shape": [1]}}'), /a: the header must contain dtype, shape/],
  [
    'with another size',
    headed('{"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}', 4),
    /do not hold 2 numbers of type F32/,
  ],
  [
    'of a type that is not supported',
    headed('{"a": {"dtype": "F8_E4M3", "shape": [1], "data_offsets": [0, 1]}}', 1),
    /type F8_E4M3, which is not supported/,
  ],
  ['without tensors', headed('{"__metadata__": {}}'), /it contains no tensors/],
])('refuses a .safetensors %s', async (_, bytes, sentence) => {
  expect(await readBytes('a.safetensors', bytes)).toMatch(sentence);
});

test('reads the tensor of our package as a .json file', async () => {
  const tensor = JSON.stringify({ shape: [1, 2, 1, 1], data: Float32Array.of(1.5, -2) });
  expect(tensor).toContain('"data":{"0":1.5,"1":-2}');
  const read = [expect.objectContaining({ shape: [1, 2, 1, 1], values: Float32Array.of(1.5, -2) })];
  expect(await readBytes('y.json', bytesFrom(tensor))).toEqual(read);
  expect(await readBytes('results.json', bytesFrom(`{"y": ${tensor}}`))).toEqual(read);
});

test('refuses the model of TensorFlow.js, which has no weights', async () => {
  const model =
    '{"format": "layers-model", "modelTopology": {}, "weightsManifest": [{"paths": ["a.bin"], "weights": [{"shape": [3, 3, 1, 1]}]}]}';
  expect(await readBytes('model.json', bytesFrom(model))).toMatch(
    /TensorFlow\.js model; its weights are in \.bin files\./,
  );
});

test('reads the header of Python 2', async () => {
  expect(await readBytes('a.npy', npyWith(dictionary('<f4', '(2L, 1L)'), 8))).toEqual([
    expect.objectContaining({ shape: [2, 1], values: new Float32Array(2) }),
  ]);
});

test.each([
  ['{"a": [1, 2}', /line 1, column 12: expected a number, found “}”/],
  ['[1] [2]', /line 1, column 5: there is more text after the JSON value/],
  ['{"x_shape": [1], "w_shape": [1,1,1,1]}', /must have four sizes each/],
  ['{"x_shape": [1,1,1,1], "w_shape": [1,1,1,1], "layout": "HWC"}', /layout must be "NHWC" or "NCHW"/],
  ['{"x_shape": [1,1,1,1], "w_shape": [1,1,1,1], "invalid": true}', /this case is for an error/],
  [
    '{"x_shape": [1,1,1,2], "w_shape": [1,1,2,1], "y_shape": [1,1,1,1], "layout": "NHWC", "stride": [1,1], "dilation": [1,1], "groups": 1, "padding": "SAME", "x": [1]}',
    /x has 1 numbers, but its shape 1 × 1 × 1 × 2 needs 2/,
  ],
])('refuses the JSON text %j', async (text, sentence) => {
  expect(await readBytes('a.json', bytesFrom(text))).toMatch(sentence);
});

test.each([
  ['a.csv', [0x89, 0x50, 0x4e, 0x47, 13, 10], /^byte 0: this is an image \(PNG\), not an array$/],
  ['a.csv', [0xff, 0xd8, 0xff, 0xe0], /JPEG/],
  ['a.txt', [0x25, 0x50, 0x44, 0x46], /PDF/],
  ['a', [0x89, 0x48, 0x44, 0x46], /HDF5/],
  ['a.npy', [0x1f, 0x8b, 8], /gzip/],
  ['a.pkl', [0x80, 4, 0x95], /Python pickle\. It can run code and is not opened/],
  ['a.xyz', [1, 2, 0, 4], /^byte 2: this is not text/],
  ['a.bin', [1, 2, 0, 4], /bytes without sizes and types: save its arrays as \.npy or \.safetensors$/],
  ['a.onnx', [8, 7, 18, 0], /ONNX model: save its arrays, .* with numpy\.savez$/],
  ['a.mat', [77, 65, 84, 76, 65, 66, 32, 53, 46, 48, 0], /MATLAB file: paste jsonencode\(w\)/],
  ['a.csv', [], /^the file is empty$/],
])('names the format of %s that begins with %j', async (name, bytes, sentence) => {
  expect(await readBytes(name, Uint8Array.from(bytes))).toMatch(sentence);
});

test('returns a sentence if a file cannot be read', async () => {
  const gone = { ...sourceOf('gone.npy', plain), bytes: () => Promise.reject(new Error('NotReadableError')) };
  expect(await openFile(gone)).toEqual({
    refusal: { reason: 'gone.npy could not be read. It may have been moved or changed', position: null },
  });
});

test('reads only the header of a .safetensors, then the chosen tensor', async () => {
  const { source, seen } = watched(sourceOf('network.safetensors', network));
  const opened = await openFile(source);
  if ('refusal' in opened) throw new Error(opened.refusal.reason);
  const header = network.length - (48 + 16 + 4 + 6 + 24);
  expect(seen.bytes).toBeLessThanOrEqual(header + 16);
  const before = seen.bytes;
  await opened.tensors.find(({ name }) => name === 'half')?.read();
  expect(seen.bytes - before).toBe(4);
});

test('refuses a tensor above the limit when it is read, and reads the others', async () => {
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

test('does not write a case with NaN', () => {
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
  expect(written).toMatchObject({ refusal: { reason: 'x has NaN at index 0, which JSON cannot represent' } });
});
