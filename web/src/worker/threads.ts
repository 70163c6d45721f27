import { loadThreadsModule } from '../engine/load-threads';
import { SessionHeap } from '../engine/session-heap';
import { ConvFailure } from '../engine/validate';
import type { ComputeResult } from '../protocol/messages';
import type { Geometry } from '../protocol/problem';
import type { MainModule } from '../wasm/module';
import { chainOf } from './chain';
import type { ConvEngine, Move } from './conv-engine';
import { lossName } from './loss';
import { takeInputs } from './own-session';

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
  if (threads > 1) engine.adopt(moveTo((await loadThreadsModule(threads)).module));
}

/**
 * Moves the resident tensors to the module `next`. If the chain is invalid or memory is missing, the session stays; if memory is
 * missing, all later ones do, too: each try takes a session and copies.
 */
export function moveTo(next: MainModule): Move {
  let isFull = false;
  return (from, chain, loss) => {
    if (isFull) return null;
    const heap = new SessionHeap(next);
    try {
      heap.setChain(...chainOf(next, chain), lossName(loss));
      takeInputs(heap, from);
      if ('dy' in loss && loss.dy === 'resident') heap.end.take('dy', from.end);
      return heap;
    } catch (thrown) {
      heap.close();
      if (!(thrown instanceof ConvFailure)) throw thrown;
      isFull = thrown.code === 'out_of_memory';
      return null;
    }
  };
}
