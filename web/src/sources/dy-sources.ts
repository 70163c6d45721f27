import type { DyEntry } from './dy-entry';
import { logCosh, mse } from './losses';
import { oneHot, ones, pointed, random, values } from './upstream';

/** All sources of dy, in the order of the menus. */
const LIST = [ones, random, oneHot, pointed, values, mse, logCosh] as const;

type SourceOf<Entry> = Entry extends DyEntry<infer Source> ? Source : never;

/** Source of the upstream gradient. Its shape follows from the geometry. */
export type DySource = SourceOf<(typeof LIST)[number]>;

// The methods of an entry get only sources of its own kind.
export const DY_SOURCES: readonly DyEntry<DySource>[] = LIST;

/** The entry of a source. */
export function dyEntry(source: DySource): DyEntry<DySource> {
  const entry = DY_SOURCES.find(({ kind }) => kind === source.kind);
  if (!entry) throw new Error(`unknown source of dy: ${source.kind}`);
  return entry;
}
