import type { DyEntry } from './dy-entry';
import { logCosh, mse } from './losses';
import { oneHot, ones, random, values } from './upstream';

/** THE LIST of sources of dy, in the order of the menus. */
const LIST = [ones, random, oneHot, values, mse, logCosh] as const;

type SourceOf<Entry> = Entry extends DyEntry<infer Source> ? Source : never;

/** Where the upstream gradient comes from. Its shape follows from the geometry. */
export type DySource = SourceOf<(typeof LIST)[number]>;

// The methods of an entry are only ever given sources of its own kind.
export const DY_SOURCES: readonly DyEntry<DySource>[] = LIST;

/** All that the page knows about a source of dy. */
export function dyEntry(source: DySource): DyEntry<DySource> {
  const entry = DY_SOURCES.find(({ kind }) => kind === source.kind);
  if (!entry) throw new Error(`no source of dy is called ${source.kind}`);
  return entry;
}
