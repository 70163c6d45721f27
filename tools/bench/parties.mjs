// The parties of the native race.

import { SetupError } from '../setup/report.mjs';

/**
 * { name: version } of the parties. `context` is the context of the benchmark results: a version for each linked peer.
 * Fails for `peers` without any peer.
 */
export function nativeParties(context, threads, peers) {
  const ours = threads.map((count) => [count === 1 ? 'ours' : `ours-${count}-threads`, 'this tree']);
  if (!peers) return Object.fromEntries(ours);
  const others = Object.entries({ onednn: context.onednn, openblas: context.openblas }).filter(
    ([, version]) => version,
  );
  if (others.length === 0)
    throw new SetupError(
      'The benchmark found neither oneDNN 2 nor OpenBLAS.',
      'Install libdnnl-dev or libopenblas-dev, then run this again.',
    );
  return Object.fromEntries([...ours, ...others]);
}
