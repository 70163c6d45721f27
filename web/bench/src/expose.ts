import type { Variant } from '../../src/wasm/variant';
import type { RaceOptions, WebResult } from './race';

/** URL path of the peers' packages. Their .wasm files are loaded at run time. */
export const PEERS_FOLDER = '/peers';

export interface PageOptions extends RaceOptions {
  readonly variants: readonly Variant[];
  /** Thread counts of this library. Peers run on `threads`, the first of them. */
  readonly ourThreads: readonly number[];
  readonly parties: readonly string[];
  /** Algorithms of this library that are raced in addition to the plan's choice. */
  readonly algorithms: 'all' | readonly string[];
}

type Run = (options: PageOptions, progress: (line: string) => void) => Promise<WebResult>;

declare global {
  interface Window {
    /** Called by tools/bench/chromium.mjs. */
    runBench?: (options: PageOptions) => Promise<WebResult>;
    /** Provided by tools/bench/chromium.mjs. */
    showProgress?: (line: string) => void;
  }
}

export function expose(run: Run): void {
  window.runBench = (options) => run(options, (line) => window.showProgress?.(line));
}
