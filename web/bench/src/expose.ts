import type { Variant } from '../../src/wasm/variant';
import type { RaceOptions, WebResult } from './race';

/** Where the server shows the peers' packages, whose .wasm files are loaded at run time. */
export const PEERS_FOLDER = '/peers';

export interface PageOptions extends RaceOptions {
  readonly variants: readonly Variant[];
  /** Ours run on each of these; the others on `threads`, the first of them. */
  readonly ourThreads: readonly number[];
  readonly parties: readonly string[];
  /** Of ours, raced beside the plan's choice. */
  readonly algorithms: 'all' | readonly string[];
}

type Run = (options: PageOptions, progress: (line: string) => void) => Promise<WebResult>;

declare global {
  interface Window {
    /** Called by tools/bench/chromium.mjs. */
    runBench?: (options: PageOptions) => Promise<WebResult>;
    /** Given by it. */
    showProgress?: (line: string) => void;
  }
}

export function expose(run: Run): void {
  window.runBench = (options) => run(options, (line) => window.showProgress?.(line));
}
