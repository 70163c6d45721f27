import type { drawSample as DrawSample } from './samples/draw-sample';
import { SAMPLE_LABELS, SAMPLE_NAMES, type SampleName } from './samples/names';
import type { TensorEntry } from './tensor-entry';

/** The program's own pictures are no part of the first download. */
let drawSample: typeof DrawSample | null = null;

/** Makes samples ready. To be awaited before a problem with one is made: whatever else is generated follows at once. */
export async function loadSamples(): Promise<void> {
  drawSample ??= (await import('./samples/draw-sample')).drawSample;
}

/** A picture that the program draws, values 0..1. It brings its size, so no menu of values has it. */
interface Sample {
  readonly kind: 'sample';
  readonly name: SampleName;
}

export const sample: TensorEntry<Sample> = {
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
    if (!drawSample) throw new Error('samples have not been loaded');
    const picture = drawSample(name, rows, cols, channels);
    if (images === 1) return picture;
    return (_n, i, j, c) => picture[(i * cols + j) * channels + c] ?? 0;
  },
};

/** Numbers of an opened file: they cannot be made again, so they are not extended, but continue with 0. */
interface OpenedFile {
  readonly kind: 'file';
  readonly name: string;
}

export const file: TensorEntry<OpenedFile> = {
  kind: 'file',
  inputs: ['x'],
  menu: [],
  title: ({ name }) => name,
  words: ['file'],
  write: ({ name }) => ['file', name],
  read: (_word, argument) => (argument === undefined ? null : { kind: 'file', name: argument }),
  kept: true,
  values: () => () => 0,
};
