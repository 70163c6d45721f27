import type { Variant } from '../../src/wasm/load';
import { expose } from './expose';
import { Ours } from './parties/ours';
import { raceAll } from './race';

/** npm run bench: our variants, every algorithm. */
expose(async ({ variants, ...options }, progress) => {
  const parties = await Promise.all(variants.map((variant: Variant) => Ours.load(variant, true)));
  const [judge] = parties;
  if (!judge) throw new Error('no variant to race');
  return raceAll(judge, parties, options, progress);
});
