import { loadThreadsModule } from '../engine/load-threads';
import type { ComputeResult } from '../protocol/messages';
import type { Geometry } from '../protocol/problem';
import type { ConvEngine } from './conv-engine';

/** Multiply-adds of a pass, above which threads save a visible time: one thread takes some milliseconds. */
const MIN_MACS = 2e7;

/** More threads gain little for the problem sizes of the page, and each is a worker. */
const MOST_THREADS = 4;

const macs = ({ n, oh, ow, k, kh, kw, group_c }: Geometry): number => n * oh * ow * k * kh * kw * group_c;

let started = false;

/**
 * Called after every problem that the relaxed variant computed on an isolated page. After the first large one it loads the
 * module with threads, which the engine then uses.
 */
export async function offerThreads(engine: ConvEngine, { layers }: ComputeResult): Promise<void> {
  if (started || layers.every(({ geometry }) => macs(geometry) < MIN_MACS)) return;
  started = true;
  const threads = Math.min(MOST_THREADS, navigator.hardwareConcurrency);
  if (threads > 1) engine.adopt((await loadThreadsModule(threads)).module);
}
