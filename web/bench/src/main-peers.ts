import * as ort from 'onnxruntime-web/wasm';
import * as ortTraining from 'onnxruntime-web-training/training';
import { expose, PEERS_FOLDER } from './expose';
import { LiteRt } from './parties/litert';
import { Ort } from './parties/ort';
import { Ours } from './parties/ours';
import { Tfjs } from './parties/tfjs';
import type { Party } from './party';
import { raceAll } from './race';

/** npm run bench:peers: the plan's choice of our variants beside the other libraries. */
expose(async ({ variants, parties: names, ...options }, progress) => {
  const loaders: Readonly<Record<string, () => Promise<Party>>> = {
    litert: () => LiteRt.load(options, PEERS_FOLDER),
    tfjs: () => Tfjs.load(options, PEERS_FOLDER),
    ort: async () => new Ort(ort, options, PEERS_FOLDER, false),
    'ort-training': async () => new Ort(ortTraining, options, PEERS_FOLDER, true),
  };
  const ours = await Promise.all(variants.map((variant) => Ours.load(variant, false)));
  const [judge] = ours;
  if (!judge) throw new Error('no variant to race');
  const peers: Party[] = [];
  for (const name of names) {
    progress(`loading ${name}`);
    const load = loaders[name];
    if (!load) throw new Error(`no party ${name}; choose from ${Object.keys(loaders).join(', ')}`);
    peers.push(await load());
  }
  return raceAll(judge, [...ours, ...peers], options, progress);
});
