// The parties of the native race.

import { SetupError } from '../setup/report.mjs';

/** The native peers: the context of the benchmark results has a version under the name of each one that is linked. */
export const NATIVE_PEERS = [
  { name: 'onednn', title: 'oneDNN 2', packages: ['libdnnl-dev'] },
  { name: 'openblas', title: 'OpenBLAS', packages: ['libopenblas-dev'] },
  { name: 'xnnpack', title: 'XNNPACK', packages: ['libxnnpack-dev', 'libpthreadpool-dev'] },
];

/**
 * { name: version } of the parties. `context` is the context of the benchmark results: a version for each linked peer.
 * Fails for `peers` without any peer.
 */
export function nativeParties(context, threads, peers) {
  const ours = threads.map((count) => [count === 1 ? 'ours' : `ours-${count}-threads`, 'this tree']);
  if (!peers) return Object.fromEntries(ours);
  const others = NATIVE_PEERS.map(({ name }) => [name, context[name]]).filter(([, version]) => version);
  if (others.length === 0)
    throw new SetupError(
      `The benchmark found neither ${NATIVE_PEERS.map(({ title }) => title).join(' nor ')}.`,
      `Install one of ${NATIVE_PEERS.map(({ packages }) => packages.join(' with ')).join(', ')}, then run this again.`,
    );
  return Object.fromEntries([...ours, ...others]);
}
