import { beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES, type Language, type LanguageId } from '../../../web/src/snippets/languages';
import { layersOf, networkSteps } from '../../../web/src/snippets/network';
import type { Shown } from '../../../web/src/state/exchange';
import { seedOf } from '../../e2e/support/random';
import { THOROUGH } from '../../thorough';
import { load } from '../contract/support';
import { PYTHONS, pythonWith, runPrograms } from '../support/python';
import { networkShown, networkSubject, withWrongTensor } from './networks';

// Runs the exported scripts of whole networks: they pass, and fail if a value is changed.

const NETWORKS = THOROUGH ? 80 : 30;
const SEED = seedOf(20_262);
let real: readonly Shown[] = [];
let whole: readonly Shown[] = [];

beforeAll(async () => {
  const { engine } = await load('simd');
  const made = (isWhole: boolean) =>
    Array.from({ length: NETWORKS }, (_, at) => networkShown(engine, SEED + at, isWhole));
  real = made(false);
  whole = made(true);
});

const networkOf = (id: LanguageId): NonNullable<Language['network']> => {
  const network = LANGUAGES.find((language) => language.id === id)?.network;
  if (!network) throw new Error(`${id} has no code of networks`);
  return network;
};

test('the networks have all layers', () => {
  const layers = [...real, ...whole].flatMap((shown) => layersOf(shown));
  const count = (is: (layer: (typeof layers)[number]) => boolean) => layers.filter(is).length;
  const isWithoutPadding = ({ fields }: (typeof layers)[number]) =>
    JSON.stringify(fields).includes('count_include_pad');
  const padded = ({ geometry: { padding: p } }: (typeof layers)[number]) => p.top + p.left + p.bottom + p.right > 0;
  const counts = {
    relu: count(({ kind }) => kind === 'relu'),
    leaky_relu: count(({ kind }) => kind === 'leaky_relu'),
    max_pool: count((layer) => layer.kind === 'max_pool' && padded(layer)),
    average_pool: count((layer) => layer.kind === 'average_pool' && padded(layer) && !isWithoutPadding(layer)),
    without_padding: count((layer) => layer.kind === 'average_pool' && padded(layer) && isWithoutPadding(layer)),
    grouped: count(({ kind, geometry: g }) => kind === 'conv' && g.groups > 1),
    unbiased: count((layer) => layer.kind === 'conv' && !layer.bias),
    biased: count((layer) => layer.kind === 'conv' && layer.bias),
    remainder: count(({ geometry: g }) => g.remainder_h + g.remainder_w > 0),
  };
  for (const [what, found] of Object.entries(counts)) expect(found, what).toBeGreaterThanOrEqual(5);
});

describe.each(PYTHONS)('%s', (id, module, debian, before) => {
  const python = pythonWith(module, debian);

  test.skipIf(!python)('checks of all layers pass, and fail when one number is changed', { timeout: 240_000 }, () => {
    const { check } = networkOf(id);
    const subjects = [...real, ...whole].map(networkSubject);
    const programs = [...subjects, ...subjects.map(withWrongTensor)].map(check);
    const said = runPrograms(python ?? '', programs, before);
    const bad = (texts: readonly string[], right: RegExp) =>
      texts.flatMap((text, at) => (right.test(text) ? [] : [`network ${at}: ${text}`]));
    expect(bad(said.slice(0, subjects.length), /^passed$/), `seed ${SEED}`).toEqual([]);
    expect(bad(said.slice(subjects.length), /^refused: (y\d|dx|dy\d|dw\d|db\d) differs by/), `seed ${SEED}`).toEqual(
      [],
    );
  });

  test.skipIf(!python)('the code that is shown computes all tensors of a network', { timeout: 240_000 }, () => {
    // Whole numbers have no rounding, so that no layer chooses another cell.
    const language = networkOf(id);
    const programs = whole.map((shown) => {
      const { given, steps } = networkSubject(shown);
      const code = language.code(layersOf(shown)).map(({ text }) => text);
      const dy = steps.at(-1)?.names.dy;
      const inputs = given.filter(({ name }) => name === dy || name === 'x' || /^[wb]\d$/.test(name));
      const results = given.filter((literal) => !inputs.includes(literal));
      const list = (data: Float32Array) => `[${data.join(', ')}]`;
      const make = {
        numpy: (array: string) => array,
        pytorch: (array: string) => `torch.tensor(${array})`,
        tensorflow: (array: string) => `tf.constant(${array}, dtype=tf.float64)`,
      }[id];
      const array = ({ data, sizes }: (typeof given)[number]) =>
        `np.array(${list(data)}, dtype=np.float64).reshape(${sizes.join(', ')})`;
      const read = id === 'pytorch' ? 'detach().numpy()' : 'numpy()';
      return [
        'import numpy as np',
        ...(id === 'pytorch' ? ['import torch'] : id === 'tensorflow' ? ['import tensorflow as tf'] : []),
        ...inputs.map((literal) => `${literal.name} = ${make(array(literal))}`),
        ...code,
        ...results.flatMap((literal) => {
          const found = id === 'numpy' ? literal.name : `${literal.name}.${read}`;
          return [`assert np.abs(${found} - ${array(literal)}).max() == 0, "${literal.name}"`];
        }),
      ].join('\n');
    });
    const said = runPrograms(python ?? '', programs, before && `${before}\nsys.modules["tensorflow"].cpu = False`);
    expect(
      said.filter((text) => text !== 'passed'),
      `seed ${SEED}`,
    ).toEqual([]);
  });
});

test('the code for PyTorch has one call for each layer of its own layout', () => {
  const shown = real.find(({ geometry }) => geometry.layout === 'nchw');
  if (!shown) throw new Error('no network in nchw');
  const steps = networkSteps(layersOf(shown));
  const text = networkOf('pytorch')
    .code(layersOf(shown))
    .map((line) => line.text)
    .join('\n');
  expect(text).not.toContain('permute');
  for (const { names, inputs } of steps) expect(text).toContain(`${names.y} = ${names.fn}(${inputs.join(', ')})`);
});
