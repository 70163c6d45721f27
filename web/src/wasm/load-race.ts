import type { MainModule as RaceModule } from './generated/race';

export type { MainModule as RaceModule } from './generated/race';

/** The module of what the library is raced against. It needs no more than any browser has. */
export async function loadRace(): Promise<RaceModule> {
  const { default: createModule } = await import('./generated/race.mjs');
  return createModule();
}
