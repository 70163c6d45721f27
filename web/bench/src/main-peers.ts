import * as ort from 'onnxruntime-web/wasm';
import * as ortTraining from 'onnxruntime-web-training/training';
import { expose, PEERS_FOLDER } from './expose';
import { NETWORK } from './network';
import { loadLiteRtParty } from './parties/litert';
import { ortParty } from './parties/ort';
import { Ours } from './parties/ours';
import { loadTfjs } from './parties/tfjs';
import type { Party } from './party';
import { messageOf, raceAll, raceNetwork } from './race';

/** npm run bench:peers: the plan's choice of each variant against the other libraries. */
expose(async ({ variants, ourThreads, parties: names, algorithms: _, ...options }, progress) => {
  const loaders: Readonly<Record<string, () => Promise<Party>>> = {
    litert: () => loadLiteRtParty(options, PEERS_FOLDER),
    tfjs: () => loadTfjs(options, PEERS_FOLDER),
    ort: async () => ortParty(ort, options, PEERS_FOLDER, false),
    'ort-training': async () => ortParty(ortTraining, options, PEERS_FOLDER, true),
  };
  const ours = await Ours.load(variants, ourThreads, []);
  const [reference] = ours;
  if (!reference) throw new Error('no variant is selected');
  const peers: Party[] = [];
  const absent: Record<string, string> = {};
  for (const name of names) {
    progress(`loading ${name}`);
    try {
      peers.push(await withTimeout(loaders[name]?.() ?? Promise.reject(new Error('unknown party'))));
    } catch (error) {
      absent[name] = messageOf(error);
    }
  }
  const parties = [...ours, ...peers];
  const result = await raceAll(reference, parties, options, progress);
  progress(`training step of ${NETWORK.name}`);
  return { ...result, networks: [await raceNetwork(NETWORK, reference, parties, options)], absent };
});

/** Rejects after a minute: a runtime does not report that its workers failed to start. */
function withTimeout<T>(loading: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('not loaded within a minute')), 60_000);
  });
  return Promise.race([loading, late]);
}
