import { expose } from './expose';
import { Ours } from './parties/ours';
import { raceAll } from './race';

/** npm run bench: our variants, every algorithm. */
expose(async ({ variants, ourThreads, ...options }, progress) => {
  const parties = await Ours.load(variants, ourThreads, true);
  const [judge] = parties;
  if (!judge) throw new Error('no variant to race');
  return raceAll(judge, parties, options, progress);
});
