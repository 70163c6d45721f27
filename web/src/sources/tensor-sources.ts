import { filter } from './filters';
import { constant, corner, countdown, impulse, ramp, random } from './generators';
import { file, sample } from './images';
import { imported } from './imported';
import type { TensorEntry, TensorInput } from './tensor-entry';

/** All sources of x, w and b, in the order of the menus. */
const TENSOR_SOURCES = [filter, ramp, countdown, constant, random, impulse, corner, sample, file, imported] as const;

type SourceOf<Entry> = Entry extends TensorEntry<infer Source> ? Source : never;

/** Source of the values of an input. */
export type TensorSource = SourceOf<(typeof TENSOR_SOURCES)[number]>;

// The methods of an entry get only sources of its own kind.
const ENTRIES: readonly TensorEntry<TensorSource>[] = TENSOR_SOURCES;

/** The entry of a source. */
export function tensorEntry(source: TensorSource): TensorEntry<TensorSource> {
  const entry = ENTRIES.find(({ kind }) => kind === source.kind);
  if (!entry) throw new Error(`unknown source of values: ${source.kind}`);
  return entry;
}

/** The source of a word and an argument in a link, or null. */
export function readTensorSource(input: TensorInput, word: string, argument: string | undefined): TensorSource | null {
  const entry = ENTRIES.find(({ words, inputs }) => words.includes(word) && inputs.includes(input));
  return entry?.read(word, argument) ?? null;
}

/** A menu item. */
export interface SourceChoice {
  /** Unique for the input. */
  readonly key: string;
  readonly label: string;
  is(source: TensorSource): boolean;
  make(cells: number): TensorSource;
}

/** The menu of an input. */
export const choicesOf = (input: TensorInput): readonly SourceChoice[] =>
  ENTRIES.filter(({ inputs }) => inputs.includes(input)).flatMap(({ kind, menu }) =>
    menu.map(({ label, is, make }, index) => ({
      key: `${kind}.${index}`,
      label,
      make,
      is: (source) => source.kind === kind && is(source),
    })),
  );
