import { expect, test } from 'vitest';
import { DIGIT_STEPS, type Trained } from '../../../web/src/protocol/digits';
import {
  BLANK,
  digitsChoice,
  digitsQuestion,
  digitsSentence,
  gradientFault,
  INK,
} from '../../../web/src/views/learn/digits-choice';

const GATES: Trained['gates'] = [
  { layer: 1, channels: 8, closed: 0 },
  { layer: 4, channels: 8, closed: 0 },
];

function trained(norms: readonly number[], change: Partial<Trained> = {}): Trained {
  const image = { number: 0, pixels: new Float32Array(64), label: 0 };
  return {
    ...{ steps: 1, loss: 2.3, held: { images: 359, correct: 36, loss: 2.3 }, epochs: [], weights: [], gates: GATES },
    history: { steps: Int32Array.of(1), losses: Float64Array.of(2.3), norms: Float64Array.from(norms) },
    ...{ receptive: new Float32Array(64), batch: [], drawn: null },
    image: { ...image, probabilities: new Float32Array(10), isHeldOut: false },
    ...change,
  };
}

test('says nothing of gradients while all layers learn', () => {
  expect(gradientFault(trained([0.8, 2.3, 3.2]))).toBe('');
  // Small gradients of a network that has learned.
  expect(gradientFault(trained([0.001, 0.002, 0.003], { loss: 0.01 }))).toBe('');
});

test('names the layers with vanishing gradients, the cause and a way out', () => {
  expect(gradientFault(trained([0.002, 0.003, 0.5]))).toMatch(
    /^Gradients vanish: the norm of dw is below 0.01 in layers 1 and 4\. .* weights, and these are too small\. Start with He/,
  );
});

test('names the layers with exploding gradients, also if ReLUs are closed', () => {
  const gates = GATES.map((gate) => ({ ...gate, closed: 8 }));
  expect(gradientFault(trained([1, 500, 2], { gates }))).toMatch(
    /^Gradients explode: .* above 100 in layer 4\. .*smaller/,
  );
});

test('names the ReLU that is closed for all images', () => {
  const [first, second] = GATES as [Trained['gates'][number], Trained['gates'][number]];
  expect(gradientFault(trained([1, 1, 1], { gates: [{ ...first, closed: 3 }, second] }))).toMatch(
    /^3 of 8 channels of the ReLU in layer 2 are 0 for all held-out images\. .*their filters learn nothing/,
  );
  expect(gradientFault(trained([1, 1, 1], { gates: [first, { ...second, closed: 8 }] }))).toMatch(
    /^All 8 channels of the ReLU in layer 5 .*the layers before it learn nothing/,
  );
});

test('says how many held-out digits are recognized, and where training ends', () => {
  const choice = digitsChoice({ t: 44 });
  expect(digitsSentence(choice, trained([1, 1, 1], { steps: 44 }))).toBe(
    'After 44 steps: 36 of 359 held-out digits are recognized; loss of the next batch 2.3.',
  );
  expect(digitsSentence(choice, trained([1, 1, 1], { steps: 7 }))).toMatch(/^After 7 steps: .* overflows float32/);
});

test('a link cannot ask for what the page does not offer', () => {
  const all = digitsChoice({ t: 1e9, scale: 7, plot: 'x', image: -3, drawn: 'aq' });
  expect(all).toEqual({ steps: DIGIT_STEPS, scale: 1, plot: 'accuracy', image: 0, drawn: BLANK });
  expect(digitsQuestion({}).drawn).toBeNull();
  expect(digitsQuestion({ drawn: `${INK}${BLANK.slice(1)}` }).drawn?.slice(0, 2)).toEqual([1, 0]);
});
