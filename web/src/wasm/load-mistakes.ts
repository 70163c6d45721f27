import type { MainModule as MistakesModule } from './generated/mistakes';

export type { MainModule as MistakesModule, MistakeRow } from './generated/mistakes';

/** The module of the wrong convolutions, for learners. It needs no more than any browser has. */
export async function loadMistakes(): Promise<MistakesModule> {
  const { default: createModule } = await import('./generated/mistakes.mjs');
  return createModule();
}
