import { whole } from '../loading/damaged-file';
import {
  constant,
  corner,
  countdown,
  filter,
  type GeneratedInput,
  impulse,
  ramp,
  random,
  type TensorEntry,
} from './generators';
import type { drawSample as DrawSample, SampleName } from './samples/draw-sample';

export type { SampleName };

export const SAMPLE_LABELS: Readonly<Record<SampleName, string>> = {
  landscape: 'Landscape',
  test_chart: 'Test chart',
  portrait: 'Portrait',
};
export const SAMPLE_NAMES = Object.keys(SAMPLE_LABELS) as readonly SampleName[];

/** The painters are not part of the first download. */
let drawSample: typeof DrawSample | null = null;

/** Loads the samples. Await it before creating a problem with one: generating values is synchronous. */
export async function loadSamples(): Promise<void> {
  drawSample ??= whole((await import('./samples/draw-sample')).drawSample);
}

/** A sample image drawn by code, values 0..1. It sets the size of x, so it is not in the menu of values. */
const sample: TensorEntry<{ readonly kind: 'sample'; readonly name: SampleName }> = {
  kind: 'sample',
  inputs: ['x'],
  menu: [],
  title: ({ name }) => SAMPLE_LABELS[name],
  words: ['sample'],
  write: ({ name }) => ['sample', name],
  read(_word, argument) {
    const name = SAMPLE_NAMES.find((candidate) => candidate === argument);
    return name === undefined ? null : { kind: 'sample', name };
  },
  values({ name }, { sizes: [images, rows, cols, channels] }) {
    if (!drawSample) throw new Error('samples are not loaded');
    const image = drawSample(name, rows, cols, channels);
    if (images === 1) return image;
    return (_n, i, j, c) => image[(i * cols + j) * channels + c] ?? 0;
  },
};

/** Values from elsewhere cannot be generated again: new cells are 0. */
const foreign = { menu: [], persisted: true, values: () => () => 0 } as const;

/** Values of an image file. */
const file: TensorEntry<{ readonly kind: 'file'; readonly name: string }> = {
  ...foreign,
  kind: 'file',
  inputs: ['x'],
  title: ({ name }) => name,
  words: ['file'],
  write: ({ name }) => ['file', name],
  read: (_word, argument) => (argument === undefined ? null : { kind: 'file', name: argument }),
};

/** Values from a file of arrays, or pasted (the name is ''). */
const imported: TensorEntry<{ readonly kind: 'brought'; readonly name: string }> = {
  ...foreign,
  kind: 'brought',
  inputs: ['x', 'w', 'b'],
  title: ({ name }) => name || 'pasted values',
  words: ['brought'],
  write: ({ name }) => (name === '' ? ['brought'] : ['brought', name]),
  read: (_word, argument) => ({ kind: 'brought', name: argument ?? '' }),
};

/** All sources of x, w and b, in the order of the menus. */
const TENSOR_SOURCES = [filter, ramp, countdown, constant, random, impulse, corner, sample, file, imported] as const;

type SourceOf<Entry> = Entry extends TensorEntry<infer Source> ? Source : never;

/** Source of the values of an input. */
export type TensorSource = SourceOf<(typeof TENSOR_SOURCES)[number]>;

// The methods of an entry get only sources of its own kind.
const ENTRIES: readonly TensorEntry<TensorSource>[] = TENSOR_SOURCES;

export function tensorEntry(source: TensorSource): TensorEntry<TensorSource> {
  const entry = ENTRIES.find(({ kind }) => kind === source.kind);
  if (!entry) throw new Error(`unknown source of values: ${source.kind}`);
  return entry;
}

/** The source of a word and an argument in a link, or null. */
export function readTensorSource(
  input: GeneratedInput,
  word: string,
  argument: string | undefined,
): TensorSource | null {
  const entry = ENTRIES.find(({ words, inputs }) => words.includes(word) && inputs.includes(input));
  return entry?.read(word, argument) ?? null;
}

/** A menu item. */
interface SourceChoice {
  /** Unique for the input. */
  readonly key: string;
  readonly label: string;
  is(source: TensorSource): boolean;
  make(cells: number): TensorSource;
}

export const choicesOf = (input: GeneratedInput): readonly SourceChoice[] =>
  ENTRIES.filter(({ inputs }) => inputs.includes(input)).flatMap(({ kind, menu }) =>
    menu.map(({ label, is, make }, index) => ({
      key: `${kind}.${index}`,
      label,
      make,
      is: (source) => source.kind === kind && is(source),
    })),
  );
