import type { MainModule as RaceModule } from './generated/race';

export type { MainModule as RaceModule } from './generated/race';

/** Loads the module "race". One variant for all browsers. */
export async function loadRace(): Promise<RaceModule> {
  const { default: createModule } = await import('./generated/race.mjs');
  return createModule();
}
