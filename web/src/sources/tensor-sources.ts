import { brought } from './brought';
import { filter } from './filters';
import { constant, corner, countdown, impulse, ramp, random } from './generators';
import { file, sample } from './pictures';
import type { TensorEntry, TensorInput } from './tensor-entry';

/** THE LIST of sources of x, w and b, in the order of the menus. */
const TENSOR_SOURCES = [filter, ramp, countdown, constant, random, impulse, corner, sample, file, brought] as const;

type SourceOf<Entry> = Entry extends TensorEntry<infer Source> ? Source : never;

/** Where the numbers of an input come from. */
export type TensorSource = SourceOf<(typeof TENSOR_SOURCES)[number]>;

// The methods of an entry are only ever given sources of its own kind.
const ENTRIES: readonly TensorEntry<TensorSource>[] = TENSOR_SOURCES;

/** All that the page knows about a source. */
export function tensorEntry(source: TensorSource): TensorEntry<TensorSource> {
  const entry = ENTRIES.find(({ kind }) => kind === source.kind);
  if (!entry) throw new Error(`no source of numbers is called ${source.kind}`);
  return entry;
}

/** The source that a word and an argument of a link name, or null. */
export function readTensorSource(input: TensorInput, word: string, argument: string | undefined): TensorSource | null {
  const entry = ENTRIES.find(({ words, inputs }) => words.includes(word) && inputs.includes(input));
  return entry?.read(word, argument) ?? null;
}

/** One choice of a menu. */
export interface Choice {
  /** Names it among the choices of the same input. */
  readonly key: string;
  readonly label: string;
  is(source: TensorSource): boolean;
  make(cells: number): TensorSource;
}

/** What can be chosen for an input. */
export const choicesOf = (input: TensorInput): readonly Choice[] =>
  ENTRIES.filter(({ inputs }) => inputs.includes(input)).flatMap(({ kind, menu }) =>
    menu.map(({ label, is, make }, index) => ({
      key: `${kind}.${index}`,
      label,
      make,
      is: (source) => source.kind === kind && is(source),
    })),
  );
