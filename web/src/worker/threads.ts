import { loadThreadsModule } from '../engine/load-threads';
import type { ComputeResult } from '../protocol/messages';
import type { Geometry } from '../protocol/problem';
import type { ConvEngine } from './conv-engine';

/** Multiply-adds of a pass that one thread has done in some milliseconds: to halve them shows. */
const WORTH_THREADS = 2e7;

/** More threads than this gain little on the sizes that a page shows, and each costs a worker. */
export const MOST_THREADS = 4;

const macs = ({ n, oh, ow, k, kh, kw, group_c }: Geometry): number => n * oh * ow * k * kh * kw * group_c;

let begun = false;

/**
 * Told of every problem that the relaxed variant computed on an isolated page. After the first large one it fetches the
 * module with threads, which the engine uses from then on.
 */
export async function offerThreads(engine: ConvEngine, { geometry }: ComputeResult): Promise<void> {
  if (begun || macs(geometry) < WORTH_THREADS) return;
  begun = true;
  const threads = Math.min(MOST_THREADS, navigator.hardwareConcurrency);
  if (threads > 1) engine.adopt((await loadThreadsModule(threads)).module);
}
