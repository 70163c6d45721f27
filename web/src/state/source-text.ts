import { FILTER_NAMES, type Generator, SAMPLE_NAMES, type TensorSource } from './sources';

/** Generators as they stand in a link: "ramp", "countdown:12", "random:7", "filter:sobel_x". */

export function sourceText(source: TensorSource): string | null {
  switch (source.kind) {
    case 'ramp':
      return source.from === 0 ? 'ramp' : `ramp:${source.from}`;
    case 'countdown':
      return `countdown:${source.from}`;
    case 'constant':
      return source.value === 1 ? 'ones' : `constant:${source.value}`;
    case 'random':
      return `random:${source.seed}`;
    case 'impulse':
      return 'impulse';
    case 'filter':
    case 'sample':
      return `${source.kind}:${source.name}`;
    case 'file':
      return null;
  }
}

/** The generator that the text names, or null. Filters are for w, samples for x. */
export function parseSource(text: string, tensor: 'x' | 'w' | 'b'): Generator | null {
  const [kind, argument] = text.split(':', 2);
  const number = argument === undefined || argument.trim() === '' ? Number.NaN : Number(argument);
  const given = Number.isFinite(number);
  switch (kind) {
    case 'ones':
      return argument === undefined ? { kind: 'constant', value: 1 } : null;
    case 'impulse':
      return argument === undefined ? { kind: 'impulse' } : null;
    case 'ramp':
      return argument === undefined ? { kind, from: 0 } : given ? { kind, from: number } : null;
    case 'countdown':
      return given ? { kind, from: number } : null;
    case 'constant':
      return given ? { kind, value: number } : null;
    case 'random':
      return Number.isSafeInteger(number) ? { kind, seed: number } : null;
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
