import { expose } from './expose';
import { Ours } from './parties/ours';
import { raceAll } from './race';

/** npm run bench: our variants, algorithm by algorithm. */
expose(async ({ variants, ourThreads, algorithms, ...options }, progress) => {
  const parties = await Ours.load(variants, ourThreads, algorithms);
  const [judge] = parties;
  if (!judge) throw new Error('no variant to race');
  const names = judge.algorithmNames();
  const unknown = algorithms === 'all' ? [] : algorithms.filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new Error(`--algorithms: there is no ${unknown.join(', ')}; choose from ${[...names].join(', ')}`);
  return raceAll(judge, parties, options, progress);
});
