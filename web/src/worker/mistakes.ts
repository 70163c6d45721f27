import { embindDesc } from '../engine/embind-desc';
import { ConvFailure } from '../engine/failure';
import { must, plainStats } from '../engine/session-heap';
import type { ConvDesc, Geometry, Pass, Shape, Tensor, TensorStats } from '../protocol/problem';
import type { MistakeEntry } from '../protocol/questions';
import { INPUTS } from '../protocol/tensors';
import { loadMistakes, type MistakesModule } from '../wasm/load-mistakes';
import { textOf } from '../wasm/text';
import type { QuestionContext } from './answerer';

type Slot = keyof MistakesModule['MistakeSlot'];

/** The module "mistakes" with a session for the current problem. */
export class Mistakes {
  readonly module: MistakesModule;
  readonly session: number;
  /** In the order of the module's list, with the texts for dx. */
  readonly entries: readonly MistakeEntry[];
  /** Texts of passes that have their own. */
  readonly #texts: Readonly<Partial<Record<Pass, readonly Pick<MistakeEntry, 'sentence' | 'step'>[]>>>;

  constructor(module: MistakesModule) {
    this.module = module;
    this.session = module.open_session();
    const rows = module.mistakes();
    this.entries = rows.map(({ name, title, sentence, lesson }) => ({
      id: textOf(name),
      title: textOf(title),
      sentence: textOf(sentence),
      step: textOf(lesson),
    }));
    this.#texts = {
      forward: rows.map((row) => ({ sentence: textOf(row.forward_sentence), step: textOf(row.forward_lesson) })),
      backward_weights: rows.map((row) => ({
        sentence: textOf(row.weights_sentence),
        step: textOf(row.weights_lesson),
      })),
    };
  }

  /** Copies the problem of the main session. */
  setProblem({ heap, problem }: QuestionContext): this {
    must(this.module, this.module.set_problem(this.session, embindDesc(this.module, descOf(problem.geometry))));
    for (const name of INPUTS) {
      this.write(name, heap.copy(name));
    }
    return this;
  }

  /** Sets the problem value * 1, so that an input is checked like a computed value. */
  setSingleValue(value: number): this {
    must(this.module, this.module.set_problem(this.session, embindDesc(this.module, ONE_PRODUCT)));
    const inputs = { x: [value], w: [1], b: [], dy: [] };
    for (const name of INPUTS) this.write(name, Float32Array.from(inputs[name]));
    return this;
  }

  write(name: Slot, values: Float32Array): void {
    must(this.module, this.module.reserve(this.session, this.#slot(name), values.length));
    this.module.view(this.session, this.#slot(name)).set(values);
  }

  release(name: Slot): void {
    must(this.module, this.module.reserve(this.session, this.#slot(name), 0));
  }

  /** Absolute values, computed by the module. */
  absolute(values: Float32Array): Float32Array {
    this.write('magnitudes', values);
    must(this.module, this.module.drop_signs(this.session, this.#slot('magnitudes')));
    return this.module.view(this.session, this.#slot('magnitudes')).slice();
  }

  /** The mistakes at these indices, with the texts for `pass`. */
  at(indices: readonly number[], pass: Pass): MistakeEntry[] {
    return this.entries.flatMap((entry, index) => {
      if (!indices.includes(index)) return [];
      const own = this.#texts[pass]?.[index];
      return [own?.sentence ? { ...entry, ...own } : entry];
    });
  }

  stats(name: Slot): TensorStats {
    return plainStats(this.module.stats(this.session, this.#slot(name)));
  }

  read(name: Slot, shape: Shape): Tensor {
    return { shape, data: this.module.view(this.session, this.#slot(name)).slice(), stats: this.stats(name) };
  }

  #slot(name: Slot) {
    return this.module.MistakeSlot[name];
  }
}

const ONE_PRODUCT: ConvDesc = {
  ...{ layout: 'nhwc', n: 1, h: 1, w: 1, c: 1, k: 1, kh: 1, kw: 1, groups: 1 },
  ...{ stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1 },
  ...{ padding_mode: 'valid', padding: { top: 0, bottom: 0, left: 0, right: 0 } },
};

const descOf = ({ layout, n, h, w, c, k, kh, kw, stride_h, stride_w, ...rest }: Geometry) => {
  const { dilation_h, dilation_w, groups, padding } = rest;
  const sizes = { n, h, w, c, k, kh, kw, stride_h, stride_w, dilation_h, dilation_w, groups };
  return { layout, ...sizes, padding_mode: 'explicit_sides', padding } as const;
};

let loaded: Mistakes | null = null;

/** Await this before mistakes(). Loads the module, again if an earlier load failed. */
export async function prepareMistakes(): Promise<void> {
  loaded ??= new Mistakes(await loadMistakes());
}

export function mistakes(): Mistakes {
  if (loaded) return loaded;
  throw new ConvFailure('module_unavailable', '', 'the list of common mistakes is not loaded');
}
