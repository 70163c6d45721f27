import { expose } from './expose';
import { Ours } from './parties/ours';
import { raceAll } from './race';

/** npm run bench: the variants of this library, each algorithm by name. */
expose(async ({ variants, ourThreads, algorithms, ...options }, progress) => {
  const parties = await Ours.load(variants, ourThreads, algorithms);
  const [reference] = parties;
  if (!reference) throw new Error('no variant is selected');
  const names = reference.algorithmNames();
  const unknown = algorithms === 'all' ? [] : algorithms.filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new Error(`--algorithms: unknown algorithm ${unknown.join(', ')}. Choose from ${[...names].join(', ')}.`);
  return raceAll(reference, parties, options, progress);
});
