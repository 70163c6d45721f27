import { FILTER_NAMES, type Generator, SAMPLE_NAMES, type TensorSource } from '../state/sources';
import { nameText, numberText, parseNumber } from './text';

/** Sources as they stand in a link: "ramp", "countdown:12", "random:7", "filter:sobel_x", "file:cat.png". */

export function sourceText(source: TensorSource): string {
  switch (source.kind) {
    case 'ramp':
      return Object.is(source.from, 0) ? 'ramp' : `ramp:${numberText(source.from)}`;
    case 'countdown':
      return `countdown:${numberText(source.from)}`;
    case 'constant':
      return source.value === 1 ? 'ones' : `constant:${numberText(source.value)}`;
    case 'random':
      return `random:${numberText(source.seed)}`;
    case 'impulse':
      return 'impulse';
    case 'filter':
    case 'sample':
      return `${source.kind}:${source.name}`;
    case 'file':
      return `file:${nameText(source.name)}`;
  }
}

/** The generator that the text names, or null. Filters are for w, samples for x. */
export function parseSource(text: string, tensor: 'x' | 'w' | 'b'): Generator | null {
  const [kind, argument] = text.split(':', 2);
  const number = parseNumber(argument);
  switch (kind) {
    case 'ones':
      return argument === undefined ? { kind: 'constant', value: 1 } : null;
    case 'impulse':
      return argument === undefined ? { kind: 'impulse' } : null;
    case 'ramp':
      return argument === undefined ? { kind, from: 0 } : number === null ? null : { kind, from: number };
    case 'countdown':
      return number === null ? null : { kind, from: number };
    case 'constant':
      return number === null ? null : { kind, value: number };
    case 'random':
      return number === null || !Number.isSafeInteger(number) ? null : { kind, seed: number };
    case 'filter': {
      const name = FILTER_NAMES.find((candidate) => candidate === argument);
      return name && tensor === 'w' ? { kind, name } : null;
    }
    case 'sample': {
      const name = SAMPLE_NAMES.find((candidate) => candidate === argument);
      return name && tensor === 'x' ? { kind, name } : null;
    }
    default:
      return null;
  }
}
