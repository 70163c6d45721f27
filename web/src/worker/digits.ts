import { must } from '../engine/session-heap';
import { ConvFailure, refuse } from '../engine/validate';
import { DIGIT_LAYERS, DIGITS, type DigitImage, type DigitsAsk, digitInput, type Trained } from '../protocol/digits';
import type { MainModule as DigitsModule } from '../wasm/generated/digits';
import { chainOf } from './chain';
import { type Learner, LearnHistory, type State } from './history';

/** Values of a pixel in the file: "a" is 0, "q" is 16. */
const LOWEST = 'a'.charCodeAt(0);
const STEPS_OF_PIXEL = 16;
/** Every fifth image is held out. */
const HELD_OUT_EVERY = 5;

const PIXELS = DIGITS.side ** 2;
const [TO_TRAIN, HELD_OUT] = [0, 1] as const;

function imagesOf(text: string): readonly DigitImage[] {
  return text
    .trim()
    .split('\n')
    .map((line, number) => ({
      number,
      label: Number(line[0]),
      pixels: Float32Array.from(line.slice(1), (letter) => (letter.charCodeAt(0) - LOWEST) / STEPS_OF_PIXEL),
    }));
}

const isHeldOut = ({ number }: DigitImage): boolean => number % HELD_OUT_EVERY === HELD_OUT_EVERY - 1;

const CONVOLUTIONS = DIGIT_LAYERS.flatMap(({ kind }, i) => (kind === 'conv' ? [i] : []));
/** Both have as many channels. */
const GATES = DIGIT_LAYERS.flatMap(({ kind }, i) => (kind === 'relu' ? [i] : [])) as [number, number];
const CHANNELS = DIGIT_LAYERS[GATES[0]]?.window.k ?? 0;

/** The module "digits" with the images. */
class Digits {
  readonly toTrain: readonly DigitImage[];
  readonly heldOut: readonly DigitImage[];

  constructor(
    readonly module: DigitsModule,
    readonly images: readonly DigitImage[],
  ) {
    this.toTrain = images.filter((image) => !isHeldOut(image));
    this.heldOut = images.filter(isHeldOut);
    this.#write(TO_TRAIN, this.toTrain);
    this.#write(HELD_OUT, this.heldOut);
  }

  #write(set: number, images: readonly DigitImage[]): void {
    this.module.reserve_images(set, images.length, PIXELS);
    const x = this.module.images_x(set);
    images.forEach(({ pixels }, i) => {
      x.set(pixels, i * PIXELS);
    });
    this.module.images_labels(set).set(images.map(({ label }) => label));
  }
}

/** Trains the network from its initial weights. Goes forwards and backwards to any step. */
class DigitTraining implements Learner {
  readonly #digits: Digits;
  readonly #history: LearnHistory;
  /** Recognized held-out images, by the number of steps. */
  readonly #correct = new Map<number, number>();
  #steps = 0;
  #last: Pick<Trained, 'steps' | 'held' | 'receptive' | 'gates' | 'weights' | 'batch'> | null = null;

  constructor(digits: Digits, scale: number) {
    this.#digits = digits;
    const { module } = digits;
    const [input, layers] = chainOf(module, { input: digitInput(DIGITS.batch), layers: DIGIT_LAYERS });
    must(module, module.start(input, layers, DIGITS.rate, DIGITS.momentum, scale));
    this.#history = new LearnHistory(this, new Int32Array());
  }

  at({ steps, image, drawn }: DigitsAsk): Trained {
    const { watched: _, ...reached } = this.#history.to(steps).history;
    const now = this.#evaluated();
    // The arrays of an answer are transferred.
    const copy = ({ pixels, ...image }: DigitImage): DigitImage => ({ ...image, pixels: pixels.slice() });
    const chosen = this.#digits.images[image ?? now.batch[0]?.number ?? 0] ?? refuse('image', 'there is no such image');
    return {
      ...now,
      receptive: now.receptive.slice(),
      weights: now.weights.map(({ w, b }) => ({ w: w.slice(), b: b.slice() })),
      batch: now.batch.map(copy),
      loss: reached.losses.at(-1) ?? Number.NaN,
      history: reached,
      epochs: [...this.#correct]
        .filter(([step]) => step <= now.steps)
        .map(([step, correct]) => ({ steps: step, correct })),
      image: { ...copy(chosen), probabilities: this.#classify(chosen.pixels), isHeldOut: isHeldOut(chosen) },
      drawn: drawn && this.#classify(Float32Array.from(drawn)),
    };
  }

  /** With the number of steps, on which the next batch depends. */
  state(): State {
    return [this.#module.state().slice(), Float32Array.of(this.#steps)];
  }

  put([values, steps]: State): void {
    if (values) this.#module.state().set(values);
    this.#steps = steps?.[0] ?? 0;
  }

  gradients(): number {
    const { value } = must(this.#module, this.#module.gradients(this.#steps));
    if (this.#steps % DIGITS.batches === 0 && !this.#correct.has(this.#steps)) {
      this.#correct.set(this.#steps, must(this.#module, this.#module.evaluate()).correct);
    }
    return value;
  }

  move(steps: number): void {
    this.#module.update();
    this.#steps = steps + 1;
  }

  watched(): Float32Array {
    return new Float32Array();
  }

  norms(): readonly number[] {
    return CONVOLUTIONS.map((layer) => this.#module.norm(layer));
  }

  get #module(): DigitsModule {
    return this.#digits.module;
  }

  /** What does not depend on the question, kept for the next one after the same step. */
  #evaluated() {
    if (this.#last?.steps === this.#steps) return this.#last;
    const { heldOut, toTrain } = this.#digits;
    const module = this.#module;
    const batch = Array.from(module.batch_images(), (index) => toTrain[index] as DigitImage);
    const { correct, loss } = must(module, module.evaluate_all(...GATES, CHANNELS));
    const results = module.result();
    const receptive = results.slice(0, PIXELS);
    const gates = GATES.map((layer, i) => {
      const shares = results.subarray(PIXELS + i * CHANNELS).subarray(0, CHANNELS);
      return { layer, channels: CHANNELS, closed: shares.filter((share) => share === 0).length };
    });
    const weights = CONVOLUTIONS.map((layer) => ({
      w: module.weights(layer).slice(),
      b: module.biases(layer).slice(),
    }));
    const held = { images: heldOut.length, correct, loss };
    this.#last = { steps: this.#steps, held, receptive, gates, weights, batch };
    return this.#last;
  }

  #classify(pixels: Float32Array): Float32Array {
    if (pixels.length !== PIXELS) refuse('drawn', `an image has ${PIXELS} pixels`);
    const module = this.#module;
    module.reserve_result(PIXELS);
    module.result().set(pixels);
    must(module, module.predict());
    return module.result().slice();
  }
}

let loaded: Digits | null = null;
/** The last training, to continue from. The module has one at a time. */
let last: { readonly scale: number; readonly training: DigitTraining } | null = null;

/** Await this before trainedDigits(). Loads the module and the images, again if an earlier load failed. */
export async function prepareDigits(): Promise<void> {
  if (loaded) return;
  const [{ default: create }, { default: text }] = await Promise.all([
    import('../wasm/generated/digits.mjs'),
    import('../../content/digits.txt?raw'),
  ]);
  loaded = new Digits(await create(), imagesOf(text));
}

export function trainedDigits(ask: DigitsAsk): Trained {
  if (!loaded) throw new ConvFailure('module_unavailable', '', 'the images of digits are not loaded');
  if (!(ask.steps >= 0)) refuse('steps', 'steps must be at least 0');
  if (last?.scale !== ask.scale) {
    last = null;
    last = { scale: ask.scale, training: new DigitTraining(loaded, ask.scale) };
  }
  return last.training.at(ask);
}
