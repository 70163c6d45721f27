import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import {
  DIGIT_LAYERS,
  DIGIT_STEPS,
  DIGITS,
  type DigitsAsk,
  digitInput,
  type Trained,
} from '../../../web/src/protocol/digits';
import type { SentLayer } from '../../../web/src/protocol/layers';
import { buffersOf } from '../../../web/src/worker/conv-engine';
import { prepareDigits, trainedDigits } from '../../../web/src/worker/digits';
import { errorOf, load } from './support';

// Training on digits in the real module. Expected values: tests/golden/digits.json (PyTorch), or by hand.

const GOLDEN = JSON.parse(readFileSync(new URL('../../golden/digits.json', import.meta.url), 'utf8')) as Readonly<
  Record<'losses' | 'all_correct' | 'mean_abs_dx' | 'probabilities', readonly number[]>
> & { readonly norms: readonly (readonly number[])[]; readonly held_loss: number };

beforeAll(prepareDigits);

const ask = (steps: number, change: Partial<DigitsAsk> = {}): Trained =>
  trainedDigits({ steps, scale: 1, image: null, drawn: null, ...change });

const expectNear = (found: ArrayLike<number>, expected: readonly number[]): void => {
  expect(found).toHaveLength(expected.length);
  for (const [i, value] of expected.entries()) expect(Math.abs((found[i] ?? 0) - value)).toBeLessThan(1e-4);
};

test('trains as PyTorch does, with the losses and norms of each step', () => {
  const steps = GOLDEN.losses.length;
  const { history, held, receptive } = ask(steps);
  expectNear(history.losses.subarray(0, steps), GOLDEN.losses);
  expectNear(history.norms.subarray(0, 3 * steps), GOLDEN.norms.flat());
  expectNear([held.loss], [GOLDEN.held_loss]);
  expectNear(receptive, GOLDEN.mean_abs_dx);
  // The first held-out image is the fifth of the file.
  expectNear(ask(steps, { image: 4 }).image.probabilities, GOLDEN.probabilities);
  expect(ask(steps, { image: 4 }).image.isHeldOut).toBe(true);
});

test('recognizes at least 95 % of the held-out digits after ten epochs', () => {
  const { held, epochs, gates, weights } = ask(DIGIT_STEPS);
  expect(held.images).toBe(359);
  expect(held.correct / held.images).toBeGreaterThanOrEqual(0.95);
  expect(epochs.map(({ steps }) => steps)).toEqual(Array.from({ length: 11 }, (_, i) => i * DIGITS.batches));
  // Three images are 0.8 %.
  for (const [i, { correct }] of epochs.slice(1).entries())
    expect(Math.abs(correct - (GOLDEN.all_correct[i] ?? 0))).toBeLessThanOrEqual(i < 3 ? 8 : 3);
  expect(gates.map(({ layer, channels }) => [layer, channels])).toEqual([
    [1, 8],
    [4, 8],
  ]);
  expect(weights.map(({ w }) => w.length)).toEqual([72, 576, 1280]);
});

test('goes back to an earlier step with the same bits, and forward again', () => {
  const [before, after] = [ask(60), ask(61)];
  ask(100);
  for (const [steps, known] of [
    [60, before],
    [61, after],
  ] as const) {
    const again = ask(steps);
    expect(again.weights).toEqual(known.weights);
    expect(again.batch.map(({ number }) => number)).toEqual(known.batch.map(({ number }) => number));
    expect(again.loss).toBe(known.loss);
  }
});

test('a batch has images that are not held out, with their classes', () => {
  const lines = readFileSync(new URL('../../../web/content/digits.txt', import.meta.url), 'utf8').split('\n');
  const { batch } = ask(3);
  expect(batch).toHaveLength(DIGITS.batch);
  for (const { number, label, pixels } of batch) {
    expect(number % 5).not.toBe(4);
    expect(lines[number]).toBe(`${label}${Array.from(pixels, (value) => 'abcdefghijklmnopq'[value * 16]).join('')}`);
  }
});

test('an answer shares no array with the next one', () => {
  const first = ask(5);
  const pixels = [...first.image.pixels];
  const taken = structuredClone(first, { transfer: buffersOf(first) });
  expect(first.weights[0]?.w).toHaveLength(0);
  expect(ask(5)).toEqual(taken);
  expect([...ask(5).image.pixels]).toEqual(pixels);
});

test('the batch as a problem has the gradients of the next step', async () => {
  const { engine } = await load('relaxed');
  const { weights, batch, history, loss } = ask(20);
  const target = new Float32Array(batch.length * DIGITS.classes);
  batch.forEach(({ label }, i) => {
    target[i * DIGITS.classes + label] = 1;
  });
  let convolutions = 0;
  const layers = DIGIT_LAYERS.map((layer): SentLayer => {
    const own = layer.kind === 'conv' ? weights[convolutions++] : undefined;
    return { ...layer, w: own?.w ?? null, b: own?.b ?? null, algorithms: {} };
  });
  const x = Float32Array.from(batch.flatMap(({ pixels }) => [...pixels]));
  const result = engine.compute(
    {
      type: 'compute',
      input: digitInput(batch.length),
      x,
      layers,
      loss: { kind: 'cross_entropy', target },
      hidden: [],
    },
    1,
  );
  expect(result.loss).toBeCloseTo(loss, 5);
  const norms = result.layers.flatMap(({ tensors: { dw } }) => (dw ? [Math.hypot(...dw.data)] : []));
  expectNear(norms, Array.from(history.norms.slice(-3)));
});

test('classifies a drawn image as the same image of the file', () => {
  const { image } = ask(200, { image: 4 });
  const { drawn } = ask(200, { drawn: [...image.pixels] });
  expect(drawn).toEqual(image.probabilities);
  expect(errorOf(() => ask(0, { drawn: [1] })).field).toBe('drawn');
  expect(errorOf(() => ask(0, { image: 1797 })).field).toBe('image');
  expect(errorOf(() => ask(-1)).field).toBe('steps');
});

test('weights that start too small give small gradients, and those that start too large close ReLUs or diverge', () => {
  const norms = ({ history }: Trained) => Array.from(history.norms.slice(-3));
  expect(Math.max(...norms(ask(0, { scale: 0.05 })))).toBeLessThan(0.1);
  expect(Math.max(...norms(ask(0, { scale: 10 })))).toBeGreaterThan(100);
});
