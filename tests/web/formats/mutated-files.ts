import * as fc from 'fast-check';
import { writeNpy, writeNpz } from '../../../web/src/formats/npy';
import { writeSafetensors } from '../../../web/src/formats/safetensors';
import { writeText } from '../../../web/src/formats/write';
import { ONE } from './prints/one';
import { bytesFrom, bytesOfMade, textOfMade } from './read';

/** Valid files and texts, and random mutations of them. */

export interface Mutated {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const values = Float32Array.of(1, -2.5, 0.1, 3, 4e-7, 12345.678);
const tensor = { name: 'x', shape: [2, 3], values };
const prints = ['prints.json', 'prints-torch.json'].flatMap((file) =>
  Object.values(JSON.parse(textOfMade(file)) as Record<string, { readonly text: string }>),
);
const CASE =
  '{"name": "c", "layout": "NHWC", "x_shape": [1, 2, 2, 1], "w_shape": [1, 1, 1, 2], "y_shape": [1, 2, 2, 2], "stride": [1, 1], "padding": "SAME", "pads": [0, 0, 0, 0], "dilation": [1, 1], "groups": 1, "x": [1, 2, 3, 4], "w": {"gen": "lcg", "seed": 7}, "b": null, "dy": [1, 2, 3, 4, 5, 6, 7, 8]}';
const GOOD: readonly Mutated[] = [
  ...['float64-big-fortran.npy', 'float16.npy', 'int-i8.npy', 'version-2.npy'].map((name) => ({
    name,
    bytes: bytesOfMade(name),
  })),
  ...['stored.npz', 'deflated.npz', 'network.safetensors', 'saved.csv', 'saved.tsv'].map((name) => ({
    name,
    bytes: bytesOfMade(name),
  })),
  ...['arguments.npz', 'metadata.safetensors'].map((name) => ({ name, bytes: bytesOfMade(`layers/${name}`) })),
  { name: 'state.txt', bytes: bytesFrom("OrderedDict([('weight', tensor([[1., 2.]])), ('bias', tensor([0.5]))])") },
  { name: 'matlab.txt', bytes: bytesFrom('w = [1 2; 3 4];') },
  { name: 'own.npy', bytes: writeNpy([2, 3], values) },
  { name: 'own.npz', bytes: writeNpz([tensor, { ...tensor, name: 'w' }], 'v=2&h=5') },
  { name: 'own.safetensors', bytes: writeSafetensors([tensor, { ...tensor, name: 'w' }], 'v=2&h=5') },
  { name: 'case.json', bytes: bytesFrom(CASE) },
  ...(['tabs', 'numpy', 'pytorch', 'json'] as const).map((style) => ({
    name: `${style}.txt`,
    bytes: bytesFrom(writeText(style, tensor)),
  })),
  ...prints.map(({ text }) => ({ name: 'print.txt', bytes: bytesFrom(text) })),
  {
    name: 'tf.txt',
    bytes: bytesFrom(
      "w = <tf.Tensor: shape=(2, 2), dtype=float32, numpy=\narray([[1., 2.],\n       [3., 4.]], dtype=float32)>\nb = tensor([1.], device='cuda:0', grad_fn=<AddBackward0>)",
    ),
  },
];

const PIECES = [
  ...[
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    '<',
    '>',
    ',',
    '\n',
    '\t',
    ' ',
    "'",
    '"',
    '\\',
    ':',
    '=',
    '-',
    '.',
    '...',
    '…',
    '#',
  ],
  ...[
    '1e999',
    '99999999999999999999',
    'nan',
    '-inf',
    'None',
    'array(',
    '.reshape(',
    'dtype=',
    '\u2212',
    '\ufffd',
    '\0',
  ],
  ...['[[', '[]', '()', '[[[[[[[[[[[[[[[[', '(99999, 99999)', '(-1,)', '(1e300,)', '<f4', '>f8', '|O', '\\u12'],
].map(bytesFrom);

type Mutation = (bytes: Uint8Array) => Uint8Array;
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const at = (bytes: Uint8Array, part: number) => Math.floor(part * (bytes.length + 1));

function spliced(bytes: Uint8Array, from: number, remove: number, put: ArrayLike<number>): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, from), ...Array.from(put), ...bytes.subarray(from + remove)]);
}

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(share, fc.nat(255)).map(
    ([where, byte]) =>
      (b: Uint8Array) =>
        spliced(b, at(b, where), 1, [byte]),
  ),
  // Headers are short: the first bytes are mutated more often.
  fc.tuple(fc.nat(63), fc.nat(255)).map(
    ([where, byte]) =>
      (b: Uint8Array) =>
        spliced(b, where, 1, [byte]),
  ),
  fc.tuple(fc.nat(63), fc.nat(255)).map(
    ([where, byte]) =>
      (b: Uint8Array) =>
        spliced(b, Math.max(b.length - where - 1, 0), 1, [byte]),
  ),
  share.map((where) => (b: Uint8Array) => b.subarray(0, at(b, where))),
  share.map((where) => (b: Uint8Array) => b.subarray(at(b, where))),
  fc.tuple(share, fc.constantFrom(...PIECES)).map(
    ([where, piece]) =>
      (b: Uint8Array) =>
        spliced(b, at(b, where), 0, piece),
  ),
  fc.tuple(share, fc.nat(20)).map(
    ([where, count]) =>
      (b: Uint8Array) =>
        spliced(b, at(b, where), count, []),
  ),
  fc.tuple(share, share, fc.nat(200)).map(
    ([from, to, count]) =>
      (b: Uint8Array) =>
        spliced(b, at(b, to), 0, b.subarray(at(b, from), at(b, from) + count)),
  ),
  fc.tuple(share, fc.constantFrom(0, 0xff)).map(
    ([where, byte]) =>
      (b: Uint8Array) =>
        spliced(b, at(b, where), 4, [byte, byte, byte, byte]),
  ),
);

const mutatedOf = (good: readonly Mutated[]): fc.Arbitrary<Mutated> =>
  fc
    .tuple(fc.constantFrom(...good), fc.array(mutation, { minLength: 0, maxLength: 4 }))
    .map(([{ name, bytes }, mutations]) => ({
      name,
      bytes: mutations.reduce((changed, mutate) => mutate(changed), bytes),
    }));

export const mutatedFiles = mutatedOf(GOOD);
export const mutatedPrints = mutatedOf(ONE.map(([, text]) => ({ name: 'print.txt', bytes: bytesFrom(text) })));
