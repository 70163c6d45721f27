import type { TensorEntry } from './tensor-entry';

/** Values from a file or a text. They cannot be generated again: new cells are 0. */
interface Imported {
  readonly kind: 'brought';
  /** Name of the file; '' for pasted values. */
  readonly name: string;
}

export const imported: TensorEntry<Imported> = {
  kind: 'brought',
  inputs: ['x', 'w', 'b'],
  menu: [],
  title: ({ name }) => name || 'pasted values',
  words: ['brought'],
  write: ({ name }) => (name === '' ? ['brought'] : ['brought', name]),
  read: (_word, argument) => ({ kind: 'brought', name: argument ?? '' }),
  persisted: true,
  values: () => () => 0,
};
