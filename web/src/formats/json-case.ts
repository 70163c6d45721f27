import type { ConvDesc, Layout } from '../protocol/problem';
import { shapeError } from './check-shape';
import { countOf, type FileContents, NO_LOSS, type Refused, refuse, type TensorHeader } from './format';
import { listed, listedOf, opened } from './in-memory';
import type { Literals, RecordLiteral } from './literal';

/** A case file: one convolution with its inputs and expected results. */

const TENSORS = ['x', 'w', 'b', 'dy', 'y', 'dx', 'dw', 'db'] as const;

export const isCase = ({ entries }: RecordLiteral): boolean => entries.has('x_shape') && entries.has('w_shape');

export function readCase(record: RecordLiteral, literals: Literals): FileContents | Refused {
  const { entries } = record;
  if (flag(record, literals, 'invalid')) return refuse('this case is for an error and has no values');
  const sizes = (field: string, count: number): readonly number[] | null => {
    const value = entries.get(field);
    if (value?.kind !== 'numbers' || value.to - value.from !== count) return null;
    return Array.from({ length: count }, (_, axis) => literals.numbers.at(value.from + axis));
  };
  const [x, w] = [sizes('x_shape', 4), sizes('w_shape', 4)];
  if (!x || !w) return refuse('x_shape and w_shape must have four sizes each');
  const layoutWord = entries.get('layout');
  const layout = layoutWord?.kind === 'text' ? layoutWord.text.toLowerCase() : '';
  if (layout !== 'nhwc' && layout !== 'nchw') return refuse('layout must be "NHWC" or "NCHW"');
  const desc = descOf(record, literals, layout, x, w, sizes);
  if ('refusal' in desc) return desc;
  const shapes = { x, w, dx: x, dw: w, y: sizes('y_shape', 4), dy: sizes('y_shape', 4), b: [desc.k], db: [desc.k] };
  const tensors: TensorHeader[] = [];
  const notes: string[] = [];
  for (const name of TENSORS) {
    const value = entries.get(name);
    const shape = shapes[name];
    if (!value || (value.kind === 'word' && /^(?:null|None)$/.test(value.text))) continue;
    if (!shape) return refuse(`y_shape must have four sizes, because the case has ${name}`);
    if (value.kind === 'record' && value.entries.has('gen')) {
      const seed = value.entries.get('seed');
      if (seed?.kind !== 'numbers') return refuse(`${name} is generated, but its seed is missing`);
      const fault = shapeError(shape);
      if (fault) return refuse(`${name}: ${fault}`);
      const state = literals.numbers.at(seed.from);
      tensors.push(
        listed(name, shape, 'generated', () => ({ values: generate(countOf(shape), state), loss: NO_LOSS })),
      );
    } else if (value.kind === 'record') {
      notes.push(`The case has only a digest of ${name}, not its values.`);
    } else if (value.kind === 'numbers') {
      const tensor = listedOf(name, value, literals.numbers, shape);
      if ('refusal' in tensor) return tensor;
      tensors.push(tensor);
    } else {
      return refuse(`${name} is not a list of numbers`);
    }
  }
  const link = entries.get('link');
  return opened(tensors, notes, desc, link?.kind === 'text' ? link.text : '');
}

function flag({ entries }: RecordLiteral, { numbers }: Literals, field: string): boolean {
  const value = entries.get(field);
  return value?.kind === 'numbers' && numbers.at(value.from) !== 0;
}

function descOf(
  { entries }: RecordLiteral,
  { numbers }: Literals,
  layout: Layout,
  x: readonly number[],
  w: readonly number[],
  sizes: (field: string, count: number) => readonly number[] | null,
): ConvDesc | Refused {
  const [stride, dilation] = [sizes('stride', 2), sizes('dilation', 2)];
  if (!stride || !dilation) return refuse('stride and dilation must have two numbers each');
  const groups = entries.get('groups');
  if (groups?.kind !== 'numbers') return refuse('groups must be a number');
  const word = entries.get('padding');
  const sides = sizes('pads', 4) ?? sizes('padding', 4);
  const mode = word?.kind === 'text' ? word.text.toLowerCase() : 'explicit_sides';
  if (mode !== 'same' && mode !== 'valid' && (mode !== 'explicit_sides' || !sides)) {
    return refuse('padding must be "SAME", "VALID" or four numbers');
  }
  const [n = 0, ...image] = x;
  const [h = 0, wide = 0, c = 0] = layout === 'nhwc' ? image : [image[1], image[2], image[0]];
  const [kh = 0, kw = 0, , k = 0] = layout === 'nhwc' ? w : [w[2], w[3], w[1], w[0]];
  const [top = 0, bottom = 0, left = 0, right = 0] = sides ?? [];
  return {
    ...{ layout, n, h, w: wide, c, k, kh, kw },
    ...{ stride_h: stride[0] ?? 1, stride_w: stride[1] ?? 1 },
    ...{ dilation_h: dilation[0] ?? 1, dilation_w: dilation[1] ?? 1 },
    groups: numbers.at(groups.from),
    padding_mode: mode,
    padding: { top, bottom, left, right },
  };
}

/** The generator of case files: 24 bits of a linear congruential generator, -1 to 1, exact in float32. */
function generate(count: number, seed: number): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return ((state >>> 8) / 2 ** 24) * 2 - 1;
  });
}
