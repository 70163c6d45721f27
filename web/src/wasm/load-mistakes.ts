import type { MainModule as MistakesModule } from './generated/mistakes';

export type { MainModule as MistakesModule, MistakeRow } from './generated/mistakes';

/** Loads the module "mistakes". One variant for all browsers. */
export async function loadMistakes(): Promise<MistakesModule> {
  const { default: createModule } = await import('./generated/mistakes.mjs');
  return createModule();
}
