// The parties of the native race.

import { SetupError } from '../setup/report.mjs';

/**
 * { name: version } of the parties. `context` is the context of the benchmark results: a version for each linked peer.
 * Fails for `peers` without any peer.
 */
export function nativeParties(context, threads, peers) {
  const ours = threads.map((count) => [count === 1 ? 'ours' : `ours-${count}-threads`, 'this tree']);
  if (!peers) return Object.fromEntries(ours);
  const { onednn, openblas, xnnpack } = context;
  const others = Object.entries({ onednn, openblas, xnnpack }).filter(([, version]) => version);
  if (others.length === 0)
    throw new SetupError(
      'The benchmark found neither oneDNN 2 nor OpenBLAS nor XNNPACK.',
      'Install libdnnl-dev, libopenblas-dev or libxnnpack-dev, then run this again.',
    );
  return Object.fromEntries([...ours, ...others]);
}
