import { beforeAll, describe, expect, test } from 'vitest';
import { LOSS_KINDS, type LossKind } from '../../../web/src/losses/list';
import type { CheckSubject, TensorLiteral } from '../../../web/src/snippets/check';
import { LANGUAGES, type Language, type LanguageId } from '../../../web/src/snippets/languages';
import { layersOf, type NetworkCheckSubject } from '../../../web/src/snippets/network';
import { DEFAULT_LOOP_ORDERS } from '../../../web/src/snippets/snippet';
import type { Shown } from '../../../web/src/state/exchange';
import { seedOf } from '../../e2e/support/random';
import { load } from '../contract/support';
import { PYTHONS, pythonWith, runPrograms } from '../support/python';
import { networkShown, networkSubject } from './networks';
import { changed, givenOf, randomDescs, subjectOf, withOtherLoss } from './problems';

// Runs the exported code of problems with a loss: checks pass, and fail with another factor of dy or another loss.

const SEED = seedOf(20_263);
const EACH = 4;
let layers: readonly CheckSubject[] = [];
let networks: readonly { readonly kind: LossKind; readonly shown: Shown; readonly subject: NetworkCheckSubject }[] = [];

beforeAll(async () => {
  const { engine } = await load('simd');
  const descs = randomDescs(EACH * LOSS_KINDS.length, SEED);
  layers = descs.map((desc, at) => subjectOf(givenOf(engine, desc, at, LOSS_KINDS[at % LOSS_KINDS.length])));
  networks = LOSS_KINDS.flatMap((kind, at) =>
    Array.from({ length: EACH }, (_, each) => {
      const shown = networkShown(engine, SEED + EACH * at + each, false, kind);
      return { kind, shown, subject: networkSubject(shown) };
    }),
  );
});

const languageOf = (id: LanguageId): Language => {
  const language = LANGUAGES.find((one) => one.id === id);
  if (!language) throw new Error(`no language ${id}`);
  return language;
};

/** dy of the page is twice the gradient; without the results that dy changes. */
const withFactor = (subject: CheckSubject): CheckSubject => ({
  ...{ ...subject, inputs: changed(subject.inputs, 'dy', (value) => 2 * value) },
  results: subject.results.slice(0, 1),
});

test('the problems have all losses in both layouts, some without a target', () => {
  for (const layout of ['nhwc', 'nchw']) {
    const kinds = [
      ...layers.filter(({ geometry }) => geometry.layout === layout).map(({ ofLoss }) => ofLoss?.kind),
      ...networks.filter(({ shown }) => shown.geometry.layout === layout).map(({ kind }) => kind),
    ];
    expect(new Set(kinds), layout).toEqual(new Set(LOSS_KINDS));
  }
  const targets = networks.map(({ shown }) => shown.layers.at(-1)?.loss?.target);
  expect(targets).toContain(null);
  expect(targets.some((target) => target?.some((value) => value > 0 && value < 1))).toBe(true);
});

type PythonId = 'numpy' | 'pytorch' | 'tensorflow';

const START: Readonly<Record<PythonId, string>> = {
  numpy: '',
  pytorch: 'import torch',
  // Groups and dilations need a GPU there.
  tensorflow: 'import sys, tensorflow as tf\nsys.modules["tensorflow"].cpu = False',
};
const MAKE: Readonly<Record<PythonId, (array: string) => string>> = {
  numpy: (array) => array,
  pytorch: (array) => `torch.tensor(${array})`,
  tensorflow: (array) => `tf.constant(${array}, dtype=tf.float64)`,
};
const READ: Readonly<Record<PythonId, string>> = { numpy: '', pytorch: '.detach().numpy()', tensorflow: '.numpy()' };

const literal = ({ data, sizes }: TensorLiteral) =>
  `np.array([${data.join(', ')}], dtype=np.float64).reshape(${sizes.join(', ') || '()'})`;

/** The code with the values of its inputs, and assertions of its results. */
const program = (
  id: PythonId,
  code: readonly { readonly text: string }[],
  inputs: readonly TensorLiteral[],
  results: readonly TensorLiteral[],
): string =>
  [
    'import numpy as np',
    START[id],
    ...inputs.map((one) => `${one.name} = ${MAKE[id](literal(one))}`),
    ...code.map(({ text }) => text),
    ...results.flatMap((one) => [
      `page, here = ${literal(one)}, ${one.name.replace('page_', '')}${READ[id]}`,
      `assert np.abs(here - page).max() <= 1e-4 * np.abs(page).max() + 1e-12, "${one.name}"`,
    ]),
  ].join('\n');

const named = (all: readonly TensorLiteral[] | undefined, name: string | undefined): TensorLiteral => {
  const found = all?.find((one) => one.name === name);
  if (!found) throw new Error(`${name} is missing`);
  return found;
};

/** What is shown of each gradient. */
const shownOfPasses = (id: PythonId): readonly string[] =>
  layers.flatMap(({ geometry, bias, inputs, results, ofLoss }) =>
    results.slice(1).map(({ pass, numbers }) => {
      const code = languageOf(id).code({ geometry, bias, loss: ofLoss?.kind }, pass, DEFAULT_LOOP_ORDERS);
      const dy = named(inputs, 'dy');
      const y =
        id === 'numpy'
          ? [
              named(
                results.map((one) => one.numbers),
                'y',
              ),
            ]
          : [];
      const given = [...inputs.filter((one) => one !== dy), ...y, named(ofLoss?.given, 'target')];
      return program(id, code, given, [named(ofLoss?.given, 'page_loss'), dy, numbers]);
    }),
  );

const shownOfNetworks = (id: PythonId): readonly string[] =>
  networks.map(({ shown, subject: { given, steps, ofLoss } }) => {
    const code = languageOf(id).network?.code(layersOf(shown)) ?? [];
    const inputs = given.filter(({ name }) => /^(x|[wb]\d)$/.test(name));
    const dy = named(given, steps.at(-1)?.names.dy);
    return program(id, code, [...inputs, named(ofLoss?.given, 'target')], [named(ofLoss?.given, 'page_loss'), dy]);
  });

describe.each(PYTHONS)('%s', (id, module, debian, before) => {
  const python = pythonWith(module, debian);

  test.skipIf(!python)(
    'computes the loss and its gradient in checks, which refuse another factor, and in what is shown',
    { timeout: 240_000 },
    () => {
      const { check, network } = languageOf(id);
      const ofLayer = (subject: CheckSubject) => check(subject, DEFAULT_LOOP_ORDERS);
      const ofNetwork = (subject: NetworkCheckSubject) => network?.check(subject) ?? '';
      const all = networks.map(({ subject }) => subject);
      // The softmax of one channel is 1: dy is 0.
      const sloped = layers.filter(({ inputs }) =>
        inputs.some(({ name, data }) => name === 'dy' && data.some(Boolean)),
      );
      expect(sloped.length).toBeGreaterThan(layers.length / 2);
      const parts: readonly (readonly [RegExp, readonly string[]])[] = [
        [/^passed$/, [...layers.map(ofLayer), ...all.map(ofNetwork)]],
        [/^refused: dy differs by/, sloped.map(withFactor).map(ofLayer)],
        [
          /^refused: loss differs by/,
          [...layers.map(withOtherLoss).map(ofLayer), ...all.map(withOtherLoss).map(ofNetwork)],
        ],
        [/^passed$/, [...shownOfPasses(id), ...shownOfNetworks(id)]],
      ];
      const said = runPrograms(
        python ?? '',
        parts.flatMap(([, programs]) => programs),
        before,
      );
      let at = 0;
      for (const [right, programs] of parts) {
        const own = said.slice(at, at + programs.length);
        at += programs.length;
        expect(own.length).toBeGreaterThan(0);
        expect(
          own.filter((text) => !right.test(text)),
          `${right}, seed ${SEED}`,
        ).toEqual([]);
      }
    },
  );
});
