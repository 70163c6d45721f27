import { whole } from '../trust/damaged-file';
import type { drawSample as DrawSample } from './samples/draw-sample';
import { SAMPLE_LABELS, SAMPLE_NAMES, type SampleName } from './samples/names';
import type { TensorEntry } from './tensor-entry';

/** Sample images are not part of the first download. */
let drawSample: typeof DrawSample | null = null;

/** Loads the samples. Await it before creating a problem with one: generating values is synchronous. */
export async function loadSamples(): Promise<void> {
  drawSample ??= whole((await import('./samples/draw-sample')).drawSample);
}

/** A sample image drawn by code, values 0..1. It sets the size of x, so it is not in the menu of values. */
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
    if (!drawSample) throw new Error('samples are not loaded');
    const image = drawSample(name, rows, cols, channels);
    if (images === 1) return image;
    return (_n, i, j, c) => image[(i * cols + j) * channels + c] ?? 0;
  },
};

/** Values of an image file. They cannot be generated again: new cells are 0. */
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
  persisted: true,
  values: () => () => 0,
};
