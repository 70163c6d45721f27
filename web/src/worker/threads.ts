import type { ComputeResult } from '../protocol/messages';
import type { Geometry } from '../protocol/problem';
import { availableThreads, loadThreadsModule } from '../wasm/load';
import type { ConvEngine } from './conv-engine';

/** Multiply-adds of a pass that one thread has done in some milliseconds: to halve them shows. */
const WORTH_THREADS = 2e7;

const macs = ({ n, oh, ow, k, kh, kw, group_c }: Geometry): number => n * oh * ow * k * kh * kw * group_c;

/**
 * Fetches the module with threads when a problem was large enough for it, so that the page's first download is without
 * it. Whatever keeps it from coming, the engine goes on with the module that it has.
 */
export class LateThreads {
  readonly #engine: ConvEngine;
  #loading = false;

  constructor(engine: ConvEngine) {
    this.#engine = engine;
  }

  /** Told of every problem that was computed. */
  async after({ geometry }: ComputeResult): Promise<void> {
    if (this.#loading || macs(geometry) < WORTH_THREADS) return;
    this.#loading = true;
    try {
      const threads = await availableThreads();
      if (threads > 1) this.#engine.adopt(await loadThreadsModule(threads));
    } catch {
      // Workers or the file may be blocked where everything else works.
    }
  }
}
