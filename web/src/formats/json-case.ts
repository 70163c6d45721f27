import type { ConvDesc, Layout } from '../protocol/problem';
import { shapeFault } from './check-shape';
import { countOf, type Listed, NO_LOSS, type Opened, type Refused, refuse } from './format';
import { listed, listedOf, opened } from './in-memory';
import type { Entries, Literals } from './literal';

/** A case file: one convolution with its inputs, and what is expected of it. */

const TENSORS = ['x', 'w', 'b', 'dy', 'y', 'dx', 'dw', 'db'] as const;

export const isCase = ({ entries }: Entries): boolean => entries.has('x_shape') && entries.has('w_shape');

export function readCase(record: Entries, literals: Literals): Opened | Refused {
  const { entries } = record;
  if (flag(record, literals, 'invalid')) return refuse('this case describes an error: it has no numbers');
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
  const tensors: Listed[] = [];
  const notes: string[] = [];
  for (const name of TENSORS) {
    const value = entries.get(name);
    const shape = shapes[name];
    if (!value || (value.kind === 'word' && /^(?:null|None)$/.test(value.text))) continue;
    if (!shape) return refuse(`y_shape must have four sizes, for ${name}`);
    if (value.kind === 'record' && value.entries.has('gen')) {
      const seed = value.entries.get('seed');
      if (seed?.kind !== 'numbers') return refuse(`${name} is said to be generated, but from no seed`);
      const fault = shapeFault(shape);
      if (fault) return refuse(`${name}: ${fault}`);
      const state = literals.numbers.at(seed.from);
      tensors.push(
        listed(name, shape, 'generated', () => ({ values: generate(countOf(shape), state), loss: NO_LOSS })),
      );
    } else if (value.kind === 'record') {
      notes.push(`Of ${name} the case has a digest only, not its numbers.`);
    } else if (value.kind === 'numbers') {
      const tensor = listedOf(name, value, literals.numbers, shape);
      if ('refusal' in tensor) return tensor;
      tensors.push(tensor);
    } else {
      return refuse(`${name} is no list of numbers`);
    }
  }
  const link = entries.get('link');
  return opened(tensors, notes, desc, link?.kind === 'text' ? link.text : '');
}

function flag({ entries }: Entries, { numbers }: Literals, field: string): boolean {
  const value = entries.get(field);
  return value?.kind === 'numbers' && numbers.at(value.from) !== 0;
}

function descOf(
  { entries }: Entries,
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

/** The generator that case files share: 24 bits of a congruence, from -1 to 1, exact in float32. */
function generate(count: number, seed: number): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return ((state >>> 8) / 2 ** 24) * 2 - 1;
  });
}
