import type { DySource } from '../protocol/messages';
import { PASSES, type Pass, type Shape } from '../protocol/problem';
import { bShape, shapeSize, wShape, xShape, yShape } from '../protocol/shapes';
import { generated } from '../state/inputs';
import type { TensorKind } from '../state/logical';
import type { InputTensor, TensorSource } from '../state/sources';
import type { Draft, Field, Linked } from './field';
import { decodeValues, encodeValues, MOST_VALUES } from './payload';
import { parseSource, sourceText } from './source-text';
import { encoded, parseCount, parseName } from './text';

/**
 * Numbers: where they come from; then "~" and the values themselves where the source does not give them, or "~omitted"
 * where they are too many for a link.
 */

const OMITTED = 'omitted';
/** Values of a file that were changed by hand; those of anything else always were. */
const EDITED = 'edited.';

type TensorInput = 'x' | 'w' | 'b';

const SHAPES = { x: xShape, w: wShape, b: bShape } as const;
const KINDS: Readonly<Record<TensorInput, TensorKind>> = { x: 'pixels', w: 'weights', b: 'bias' };

const tensor = (key: string, input: TensorInput, also: readonly string[] = []): Field => ({
  key,
  also,
  write({ problem }, omit) {
    const written = problem[input];
    if (!written) return null;
    const { source, edited, data } = written;
    const whole = source.kind !== 'file' && !edited;
    if (whole) return sourceText(source);
    if (data.length > MOST_VALUES) {
      omit(input);
      return source.kind === 'file' ? sourceText(source) : `${sourceText(source)}~${OMITTED}`;
    }
    return `${sourceText(source)}~${source.kind === 'file' && edited ? EDITED : ''}${encodeValues(data)}`;
  },
  read(text, draft) {
    const read = readTensor(text, input, draft);
    if (read) draft.tensors[input] = read;
    return read ? null : `a source such as ${EXAMPLES[input]}, and with values exactly as many as ${input} has cells`;
  },
});

const EXAMPLES: Readonly<Record<TensorInput, string>> = {
  x: 'ramp, random:7 or sample:portrait',
  w: 'countdown:9, random:7 or filter:blur',
  b: 'ones or random:7',
};

function readTensor(text: string, input: TensorInput, { desc, missing }: Draft): InputTensor | null {
  const [head = '', payload] = text.split('~', 2);
  const shape: Shape = SHAPES[input](desc);
  const make = (source: Exclude<TensorSource, { kind: 'file' }>) => generated(source, KINDS[input], desc.layout, shape);
  const source = head.startsWith('file:') && input === 'x' ? fileOf(head) : parseSource(head, input);
  if (!source) return null;
  if (payload === undefined || payload === OMITTED) {
    if (source.kind !== 'file') {
      if (payload === OMITTED) missing.push({ input, picture: null });
      return make(source);
    }
    missing.push({ input, picture: source.name });
    return { shape, data: new Float32Array(shapeSize(shape)), source, edited: false };
  }
  const changed = payload.startsWith(EDITED);
  const data = decodeValues(changed ? payload.slice(EDITED.length) : payload, shapeSize(shape));
  return data && { shape, data, source, edited: source.kind !== 'file' || changed };
}

const fileOf = (head: string): TensorSource => ({ kind: 'file', name: parseName(head.slice('file:'.length)) });

const dy: Field = {
  key: 'dy',
  write({ problem: { dy: source } }, omit) {
    const text = dyText(source);
    if (text.endsWith(OMITTED)) omit('dy');
    return text;
  },
  read(text, draft) {
    const read = readDy(text, draft);
    if (!read) return 'ones, random:7, one_hot:0, mse:0, log_cosh:0, or values for the cells of y';
    const cells = shapeSize(yShape(draft.desc));
    if (read.kind === 'one_hot' && read.index >= cells) {
      return `one_hot and the number of a cell of y, of which there are ${cells.toLocaleString('en')}`;
    }
    draft.dy = read;
    return null;
  },
};

function dyText(source: DySource): string {
  switch (source.kind) {
    case 'ones':
      return 'ones';
    case 'random':
      return `random:${source.seed}`;
    case 'one_hot':
      return `one_hot:${source.index}`;
    case 'values':
      if (source.data.length > MOST_VALUES) return `values~${OMITTED}`;
      return `values:${source.shape.join('.')}~${encodeValues(source.data)}`;
    case 'mse':
    case 'log_cosh':
      if (source.target === null) return `${source.kind}:0`;
      return `${source.kind}~${source.target.length > MOST_VALUES ? OMITTED : encodeValues(source.target)}`;
  }
}

function readDy(text: string, { desc, missing }: Draft): DySource | null {
  const [head = '', payload] = text.split('~', 2);
  const [kind, argument] = head.split(':', 2);
  const number = parseCount(argument);
  const omitted = payload === OMITTED;
  switch (kind) {
    case 'ones':
      return { kind };
    case 'random':
      return number === null ? null : { kind, seed: number };
    case 'one_hot':
      return number === null ? null : { kind, index: number };
    case 'mse':
    case 'log_cosh': {
      if (omitted) missing.push({ input: 'dy', picture: null });
      if (omitted || (payload === undefined && number === 0)) return { kind, target: null };
      const target = decodeValues(payload ?? '', shapeSize(yShape(desc)));
      return target && { kind, target };
    }
    case 'values': {
      if (omitted) {
        missing.push({ input: 'dy', picture: null });
        return { kind: 'ones' };
      }
      const shape = (argument ?? '').split('.').map(parseCount);
      const [a = null, b = null, c = null, d = null] = shape;
      if (shape.length !== 4 || a === null || b === null || c === null || d === null) return null;
      const data = decodeValues(payload ?? '', a * b * c * d);
      return data && { kind, shape: [a, b, c, d], data };
    }
    default:
      return null;
  }
}

const algorithm = (pass: Pass): Field => ({
  key: pass,
  write({ problem: { algorithms } }) {
    const name = algorithms[pass];
    return name === undefined ? null : encoded(name);
  },
  read(text, { algorithms }) {
    algorithms[pass] = text;
    return null;
  },
});

export const INPUT_FIELDS: readonly Field[] = [
  tensor('x', 'x'),
  // w is the width.
  tensor('weights', 'w'),
  tensor('bias', 'b', ['b']),
  dy,
  ...PASSES.map(algorithm),
];

/** What was read; inputs that were left out are as in the notebook, where the last weight is never 0. */
export function problemOf({ desc, tensors, dy: source, algorithms }: Draft): Linked['problem'] {
  const weights = wShape(desc);
  return {
    desc,
    x: tensors.x ?? generated({ kind: 'ramp', from: 0 }, 'pixels', desc.layout, xShape(desc)),
    w: tensors.w ?? generated({ kind: 'countdown', from: shapeSize(weights) }, 'weights', desc.layout, weights),
    b: tensors.b ?? null,
    dy: source,
    algorithms,
  };
}
