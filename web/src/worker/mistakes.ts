import { type Checked, must, openSession, plainStats, type Session } from '../engine/session-heap';
import { ConvFailure, embindLayer, refuse } from '../engine/validate';
import { descOn, type LayerSizes, sizesOfShape } from '../protocol/layers';
import {
  type ConvDesc,
  INPUTS,
  type InputName,
  NO_PADDING,
  type Pass,
  type Shape,
  type Tensor,
  type TensorStats,
} from '../protocol/problem';
import type { MistakeEntry } from '../protocol/questions';
import { randomFrom } from '../protocol/random';
import type { MainModule as MistakesModule } from '../wasm/generated/mistakes';
import { type EmbindText, textOf } from '../wasm/module';
import type { Beside, Host, QuestionContext } from './answerer';

type Slot = keyof MistakesModule['MistakeSlot'];

type Row = Readonly<Record<'name' | 'title' | 'sentence' | 'lesson', EmbindText>>;

const entryOf = ({ name, title, sentence, lesson }: Row): MistakeEntry => ({
  id: textOf(name),
  title: textOf(title),
  sentence: textOf(sentence),
  step: textOf(lesson),
});

/** The module "mistakes" with a session for the current problem. */
export class Mistakes implements Beside {
  session: Session<MistakesModule>;
  /** In the order of the module's list, with the texts for dx. */
  readonly entries: readonly MistakeEntry[];
  /** Those of layers without weights, in the order of their own list. */
  readonly layerEntries: readonly MistakeEntry[];
  /** The first entries: the bugs of “Spot the bug”. */
  readonly bugs: readonly MistakeEntry[];
  /** Texts of passes that have their own. */
  readonly #texts: Readonly<Partial<Record<Pass, readonly Pick<MistakeEntry, 'sentence' | 'step'>[]>>>;

  constructor(readonly module: MistakesModule) {
    this.session = openSession(module);
    const rows = module.mistakes();
    this.entries = rows.map(entryOf);
    this.layerEntries = module.layer_mistakes().map(entryOf);
    this.bugs = this.entries.slice(0, module.bug_count());
    this.#texts = {
      forward: rows.map((row) => ({ sentence: textOf(row.forward_sentence), step: textOf(row.forward_lesson) })),
      backward_weights: rows.map((row) => ({
        sentence: textOf(row.weights_sentence),
        step: textOf(row.weights_lesson),
      })),
    };
  }

  get held(): number {
    return this.module.HEAPU8.length;
  }

  get used(): number {
    return this.module.heap_in_use();
  }

  clear(): void {
    this.session.close_session();
    this.session = openSession(this.module);
  }

  must<Result extends Checked>(result: Result): Result {
    return must(this.module, result);
  }

  setProblem({ desc, values, ...layer }: LayerInputs): void {
    this.must(this.session.set_problem([embindLayer(this.module, desc, layer)]));
    for (const name of INPUTS) this.write(name, values(name));
  }

  write(name: Slot, values: Float32Array): void {
    this.must(this.session.reserve(this.#slot(name), values.length));
    this.view(name).set(values);
  }

  release(name: Slot): void {
    this.must(this.session.reserve(this.#slot(name), 0));
  }

  view(name: Slot): Float32Array {
    return this.session.view(this.#slot(name));
  }

  absolute(values: Float32Array): Float32Array {
    this.write('magnitudes', values);
    this.must(this.session.drop_signs(this.#slot('magnitudes')));
    return this.view('magnitudes').slice();
  }

  /** The mistakes at these indices of the list for layers of this kind. */
  of(kind: string, indices: readonly number[], pass: Pass): MistakeEntry[] {
    if (kind === 'conv') return this.at(indices, pass);
    return this.layerEntries.filter((_, index) => indices.includes(index));
  }

  at(indices: readonly number[], pass: Pass): MistakeEntry[] {
    return this.entries.flatMap((entry, index) => {
      if (!indices.includes(index)) return [];
      const own = this.#texts[pass]?.[index];
      return [own?.sentence ? { ...entry, ...own } : entry];
    });
  }

  stats(name: Slot): TensorStats {
    return plainStats(this.session.stats(this.#slot(name)));
  }

  read(name: Slot, shape: Shape): Tensor {
    return { shape, data: this.view(name).slice(), stats: this.stats(name) };
  }

  #slot(name: Slot) {
    return this.module.MistakeSlot[name];
  }
}

const ONE_PRODUCT: ConvDesc = {
  ...{ layout: 'nhwc', n: 1, h: 1, w: 1, c: 1, k: 1, kh: 1, kw: 1, groups: 1 },
  ...{ stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1 },
  ...{ padding_mode: 'valid', padding: NO_PADDING },
};

/** The problem value * 1, so that an input is checked like a computed value. */
export function productOf(value: number): LayerInputs {
  const inputs = { x: [value], w: [1], b: [], dy: [] };
  return { kind: 'conv', options: {}, desc: ONE_PRODUCT, values: (name) => Float32Array.from(inputs[name]) };
}

/** What a layer computes from. */
interface LayerInputs {
  readonly kind: string;
  readonly options: LayerSizes['options'];
  readonly desc: ConvDesc;
  /** A copy. */
  readonly values: (name: InputName) => Float32Array;
}

export function inputsOf({ heap, problem, chain }: QuestionContext): LayerInputs {
  const own = chain.layers[heap.layer] as LayerSizes;
  return {
    ...{ kind: own.kind, options: own.options },
    desc: descOn(own.window, sizesOfShape(problem.geometry.layout, problem.shapes.x)),
    values: (name) => heap.copy(name),
  };
}

let loaded: Mistakes | null = null;

/** Await this before mistakes(). Loads the module, again if an earlier load failed. */
export async function prepareMistakes(host?: Host): Promise<void> {
  loaded ??= new Mistakes(await (await import('../wasm/generated/mistakes.mjs')).default());
  if (host) host.answering = loaded;
}

export function mistakes(): Mistakes {
  if (loaded) return loaded;
  throw new ConvFailure('module_unavailable', '', 'the module of mistakes and gradient checks is not loaded');
}

/** The index of the bug with this letter: bugs are shuffled by the seed. */
export function bugAt(seed: number, letter: number, count: number): number {
  const next = randomFrom(seed);
  const order = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const chosen = Math.floor((next() / 2 ** 32) * (last + 1));
    [order[last], order[chosen]] = [order[chosen] ?? 0, order[last] ?? 0];
  }
  const index = order[letter];
  if (index === undefined) refuse('letter', `there are only ${count} bugs`);
  return index;
}
