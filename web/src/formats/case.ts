import { type ConvDesc, INPUTS, RESULTS } from '../protocol/problem';
import { arrayHeader, type Contents, checkShape, countOf, type Header, NO_LOSS, opened, ReadError } from './format';
import type { Lists, Literal, RecordLiteral } from './lists';

/** A case file: one convolution with its inputs and expected results. */

/** The record of a case file; null of any other value. */
export const caseOf = (value: Literal): RecordLiteral | null =>
  value.kind === 'record' && value.entries.has('x_shape') && value.entries.has('w_shape') ? value : null;

export function readCase({ entries }: RecordLiteral, literals: Lists): Contents {
  const sizes = (field: string, count: number): readonly number[] | null => {
    const value = entries.get(field);
    return value?.kind === 'numbers' && value.to - value.from === count ? literals.sizes(value) : null;
  };
  const number = (field: string): number | null => {
    const value = entries.get(field);
    return value?.kind === 'numbers' ? literals.numbers.at(value.from) : null;
  };
  const text = (field: string): string | null => {
    const value = entries.get(field);
    return value?.kind === 'text' ? value.text : null;
  };
  if ((number('invalid') ?? 0) !== 0) throw new ReadError('this case is for an error and has no values');
  const [x, w] = [sizes('x_shape', 4), sizes('w_shape', 4)];
  if (!x || !w) throw new ReadError('x_shape and w_shape must have four sizes each');
  const layout = text('layout')?.toLowerCase();
  if (layout !== 'nhwc' && layout !== 'nchw') throw new ReadError('layout must be "NHWC" or "NCHW"');
  const [stride, dilation] = [sizes('stride', 2), sizes('dilation', 2)];
  if (!stride || !dilation) throw new ReadError('stride and dilation must have two numbers each');
  const groups = number('groups');
  if (groups === null) throw new ReadError('groups must be a number');
  const sides = sizes('pads', 4) ?? sizes('padding', 4);
  const mode = text('padding')?.toLowerCase() ?? 'explicit_sides';
  if (mode !== 'same' && mode !== 'valid' && (mode !== 'explicit_sides' || !sides)) {
    throw new ReadError('padding must be "SAME", "VALID" or four numbers');
  }
  const [n = 0, ...image] = x;
  const [h = 0, wide = 0, c = 0] = layout === 'nhwc' ? image : [image[1], image[2], image[0]];
  const [kh = 0, kw = 0, , k = 0] = layout === 'nhwc' ? w : [w[2], w[3], w[1], w[0]];
  const [top = 0, bottom = 0, left = 0, right = 0] = sides ?? [];
  const desc: ConvDesc = {
    ...{ layout, n, h, w: wide, c, k, kh, kw, groups },
    ...{ stride_h: stride[0] ?? 1, stride_w: stride[1] ?? 1 },
    ...{ dilation_h: dilation[0] ?? 1, dilation_w: dilation[1] ?? 1 },
    padding_mode: mode,
    padding: { top, bottom, left, right },
  };
  const shapes = { x, w, dx: x, dw: w, y: sizes('y_shape', 4), dy: sizes('y_shape', 4), b: [desc.k], db: [desc.k] };
  const tensors: Header[] = [];
  const notes: string[] = [];
  for (const name of [...INPUTS, ...RESULTS]) {
    const value = entries.get(name);
    const shape = shapes[name];
    if (!value || (value.kind === 'word' && /^(?:null|None)$/.test(value.text))) continue;
    if (!shape) throw new ReadError(`y_shape must have four sizes, because the case has ${name}`);
    if (value.kind === 'record' && value.entries.has('gen')) {
      const seed = value.entries.get('seed');
      if (seed?.kind !== 'numbers') throw new ReadError(`${name} is generated, but its seed is missing`);
      checkShape(shape, name);
      const state = literals.numbers.at(seed.from);
      tensors.push(
        arrayHeader(name, shape, 'generated', () => ({ values: generate(countOf(shape), state), loss: NO_LOSS })),
      );
    } else if (value.kind === 'record') {
      notes.push(`The case has only a digest of ${name}, not its values.`);
    } else if (value.kind === 'numbers') {
      tensors.push(literals.tensor(name, value, shape));
    } else {
      throw new ReadError(`${name} is not a list of numbers`);
    }
  }
  return opened(tensors, { notes, desc, link: text('link') ?? '' });
}

/** The generator of case files: 24 bits of a linear congruential generator, -1 to 1, exact in float32. */
function generate(count: number, seed: number): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return ((state >>> 8) / 2 ** 24) * 2 - 1;
  });
}
