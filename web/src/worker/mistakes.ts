import { embindDesc } from '../engine/embind-desc';
import { ConvFailure } from '../engine/failure';
import { must, plainStats } from '../engine/session-heap';
import type { ConvDesc, Geometry, Shape, Tensor, TensorStats } from '../protocol/problem';
import type { MistakeEntry } from '../protocol/questions';
import { loadMistakes, type MistakesModule } from '../wasm/load-mistakes';
import { textOf } from '../wasm/text';
import type { Asked } from './answerer';

type Slot = keyof MistakesModule['MistakeSlot'];

const INPUTS = ['x', 'w', 'b', 'dy'] as const;

/** The wrong convolutions, with a session for the problem that they are asked about. */
export class Mistakes {
  readonly module: MistakesModule;
  readonly session: number;
  /** In the order of the module's list. */
  readonly entries: readonly MistakeEntry[];

  constructor(module: MistakesModule) {
    this.module = module;
    this.session = module.open_session();
    this.entries = module.mistakes().map(({ name, title, sentence, lesson }) => ({
      id: textOf(name),
      title: textOf(title),
      sentence: textOf(sentence),
      step: textOf(lesson),
    }));
  }

  /** Takes over the problem of the session that a question is about. */
  take({ heap, problem }: Asked): this {
    must(this.module, this.module.set_problem(this.session, embindDesc(this.module, descOf(problem.geometry))));
    for (const name of INPUTS) {
      this.write(name, heap.copy(name));
    }
    return this;
  }

  /** A sum of one product, the number times 1: what is given is judged as what is computed. */
  takeAlone(value: number): this {
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

  /** The sizes of numbers. */
  withoutSigns(values: Float32Array): Float32Array {
    this.write('magnitudes', values);
    must(this.module, this.module.drop_signs(this.session, this.#slot('magnitudes')));
    return this.module.view(this.session, this.#slot('magnitudes')).slice();
  }

  /** The mistakes at these places of the list. */
  at(places: readonly number[]): MistakeEntry[] {
    return this.entries.filter((_, place) => places.includes(place));
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

let fetched: Mistakes | null = null;

/** To be awaited before the first question: the module is fetched then, or again when that failed. */
export async function fetchMistakes(): Promise<void> {
  fetched ??= new Mistakes(await loadMistakes());
}

export function mistakes(): Mistakes {
  if (fetched) return fetched;
  throw new ConvFailure('module_unavailable', '', 'what knows the frequent mistakes has not been fetched');
}
