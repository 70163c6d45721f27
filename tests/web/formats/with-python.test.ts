import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeNpy, writeNpz } from '../../../web/src/formats/npy';
import { writeSafetensors } from '../../../web/src/formats/safetensors';
import { writeText } from '../../../web/src/formats/write';
import { pythonWith } from '../support/python';

/** NumPy and PyTorch read the written files. The tests are skipped with a message if they are not installed. */

function run(python: string, program: string, folder: string): unknown {
  const { status, stdout, stderr } = spawnSync(python, ['-c', program], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

function inFolder<Result>(body: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'conv2d-formats-'));
  try {
    return body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const values = Float32Array.of(
  0.1,
  -0,
  1 / 3,
  3.4028234663852886e38,
  1e-45,
  -12345.678,
  16777215,
  0.30000001,
  7,
  -1,
  2,
  5,
);
const tensor = { name: 'x', shape: [2, 3, 2], values };
const bits = [...new Uint32Array(values.buffer)];
const SAY =
  'print(json.dumps([list(a.shape), str(a.dtype), np.ascontiguousarray(a).view(np.uint32).ravel().tolist()]))';

const numpy = pythonWith('numpy', 'python3-numpy');

test.skipIf(!numpy)('NumPy reads all arrays of a network beside its link, and the format of safetensors', () => {
  const arrays = [
    { name: 'layer1.w', shape: [2, 3, 2], values },
    { name: 'layer2.dy', shape: [2], values: Float32Array.of(4, 0.1) },
  ];
  // The format after its specification: the length of the header, the header, the bytes.
  const program = `
import json, struct
import numpy as np
saved = np.load("all.npz")
said = [[name, list(saved[name].shape), saved[name].view(np.uint32).ravel().tolist()] for name in saved.files if name.startswith("layer")]
data = open("all.safetensors", "rb").read()
(length,) = struct.unpack("<Q", data[:8])
header = json.loads(data[8 : 8 + length])
assert length % 8 == 0 and header.pop("__metadata__") == {"conv2d_link": "v=2"}
for name, entry in header.items():
    assert entry["dtype"] == "F32"
    begin, end = (8 + length + at for at in entry["data_offsets"])
    said.append([name, entry["shape"], np.frombuffer(data[begin:end], dtype="<u4").tolist()])
assert end == len(data)
print(json.dumps(said))`;
  const said = inFolder((folder) => {
    writeFileSync(join(folder, 'all.npz'), writeNpz(arrays, 'v=2'));
    writeFileSync(join(folder, 'all.safetensors'), writeSafetensors(arrays, 'v=2'));
    return run(numpy ?? '', program, folder);
  });
  const right = arrays.map((one) => [one.name, one.shape, [...new Uint32Array(one.values.buffer)]]);
  expect(said).toEqual([...right, ...right]);
});

test.skipIf(!numpy)(
  'NumPy reads our .npy, .npz and text to the last bit',
  () => {
    inFolder((folder) => {
      writeFileSync(join(folder, 'x.npy'), writeNpy(tensor.shape, values));
      writeFileSync(join(folder, 'x.npz'), writeNpz([tensor, { ...tensor, name: 'größe' }]));
      writeFileSync(join(folder, 'x.csv'), writeText('commas', tensor));
      const said = [[2, 3, 2], 'float32', bits];
      for (const array of [
        "a = np.load('x.npy')",
        "a = np.load('x.npz')['größe']",
        `${writeText('numpy', tensor)}; a = x`,
        "a = np.loadtxt('x.csv', delimiter=',', dtype=np.float32).reshape(2, 3, 2)",
      ]) {
        expect(run(numpy ?? '', `import json, numpy as np\n${array}\n${SAY}`, folder)).toEqual(said);
      }
      // A check: a single changed bit is found.
      const other = Float32Array.from(values, (value, index) => (index === 0 ? 0.10000001 : value));
      writeFileSync(join(folder, 'x.npy'), writeNpy(tensor.shape, other));
      expect(run(numpy ?? '', `import json, numpy as np\na = np.load('x.npy')\n${SAY}`, folder)).not.toEqual(said);
      // Sizes of 0, one axis, and a single number.
      for (const shape of [[], [1], [0, 3], [1, 1, 1, 1]]) {
        writeFileSync(join(folder, 'x.npy'), writeNpy(shape, new Float32Array(shape.includes(0) ? 0 : 1)));
        const program = "import json, numpy as np\nprint(json.dumps(list(np.load('x.npy').shape)))";
        expect(run(numpy ?? '', program, folder)).toEqual(shape);
      }
    });
  },
  120_000,
);

const torch = pythonWith('torch', 'python3-torch');

test.skipIf(!torch)(
  'PyTorch reads our text to the last bit',
  () => {
    const odd = { name: 'x', shape: [3], values: Float32Array.of(Number.NaN, Number.NEGATIVE_INFINITY, 1.5) };
    inFolder((folder) => {
      const program = (text: string) =>
        `import json, torch\n${text}\nprint(json.dumps([list(x.shape), str(x.dtype), [str(v) for v in x.flatten().tolist()]]))`;
      const [shape, type, numbers] = run(torch ?? '', program(writeText('pytorch', tensor)), folder) as [
        number[],
        string,
        string[],
      ];
      expect([shape, type]).toEqual([[2, 3, 2], 'torch.float32']);
      expect(numbers.map(Number)).toEqual([...values]);
      expect(run(torch ?? '', program(writeText('pytorch', odd)), folder)).toEqual([
        [3],
        'torch.float32',
        ['nan', '-inf', '1.5'],
      ]);
    });
  },
  120_000,
);
