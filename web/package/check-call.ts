import { ConvFailure, refuse } from '../src/engine/validate';
import { type ConvDesc, NO_PADDING, type Padding, type Pass, RESULT_OF, type Shape } from '../src/protocol/problem';
import type { Geometry, Gradient, Result, Shaped, Values } from './api';
import { checkCount, checkFloats, kindOf } from './check-types';

/** Checks of the arguments of a call. A failure names the field and its allowed values. */

const GRADIENTS: readonly Gradient[] = ['dx', 'dw', 'db'];
export const RESULTS: readonly Result[] = ['y', ...GRADIENTS];
export const GEOMETRY = ['layout', 'stride', 'dilation', 'groups', 'padding'] as const;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** Checks that the argument of `call` is an object with all fields of `needed`, and no others except `also`. */
export function checkCall(args: unknown, call: string, needed: readonly string[], also: readonly string[]): void {
  if (!isRecord(args)) {
    const given = args === undefined ? 'nothing' : kindOf(args);
    refuse('', `${call} was given ${given}, but takes an object { ${[...needed, '...'].join(', ')} }`);
  }
  for (const name of needed) {
    if (args[name] === undefined) refuse(name, `${name} is missing: ${call} needs ${needed.join(', ')}`);
  }
  const known = [...needed, ...also];
  for (const name of Object.keys(args)) {
    if (!known.includes(name)) refuse(name, `${call} has no ${name}; it has ${known.join(', ')}`);
  }
}

/** Checks that `record`, the value of `field`, is undefined or an object with some of `names`. */
export function checkRecord<Name extends string>(record: unknown, field: string, names: readonly Name[]): void {
  if (record === undefined) return;
  const list = names.join(', ');
  if (!isRecord(record)) refuse(field, `${field} is ${kindOf(record)}, but must be an object with some of ${list}`);
  for (const name of Object.keys(record)) {
    if (!names.includes(name as Name))
      refuse(`${field}.${name}`, `${field}.${name} is not computed; ${field} may have ${list}`);
  }
}

/** The gradients in `of`; all if it is undefined. */
export function checkGradients(of: unknown): readonly Gradient[] {
  if (of === undefined) return GRADIENTS;
  const list = GRADIENTS.join(', ');
  if (!Array.isArray(of)) return refuse('of', `of is ${kindOf(of)}, but must be a list of some of ${list}`);
  const unknown = of.find((name) => !GRADIENTS.includes(name));
  if (of.includes(unknown)) refuse('of', `of has ${kindOf(unknown)}, which is none of ${list}`);
  return GRADIENTS.filter((name) => of.includes(name));
}

/** Checks that a shape is `expected`; `reason` says where that comes from. */
export function checkSame(shape: Shape, expected: Shape, name: 'x' | 'w' | 'dy', reason: string): void {
  if (shape.every((size, axis) => size === expected[axis])) return;
  const code = name === 'w' ? 'channel_mismatch' : 'input_size_mismatch';
  refuse(`${name}.shape`, `${name} is ${shape.join(' x ')}, but ${reason} ${expected.join(' x ')}`, code);
}

export function checkResult(of: unknown): Result {
  const found = RESULTS.find((name) => name === of);
  return found ?? refuse('of', `of is ${kindOf(of)}, but must be one of ${RESULTS.join(', ')}`);
}

/** Checks `values` against `expected`, and returns its data. */
export function checkValues(
  values: Values,
  name: 'x' | 'w' | 'dy',
  expected: Shape,
  layout: Geometry['layout'],
  reason: string,
): Float32Array {
  checkSame(checkShape(values, name, layout), expected, name, reason);
  return checkData(values.data, `${name}.data`, expected);
}

/** Checks that `data` is a Float32Array with the number of elements of `shape`. */
export function checkData(data: unknown, field: string, shape: readonly number[]): Float32Array {
  const floats = checkFloats(data, field);
  const elements = shape.reduce((product, size) => product * size, 1);
  if (floats.length !== elements) {
    const needs = `its shape ${shape.join(' x ')} needs ${elements}`;
    refuse(field, `${field} has ${floats.length} values, but ${needs}`, 'length_mismatch');
  }
  return floats;
}

/** Checks that `out` shares no memory with `others`, which are named by their fields. */
export function checkApart(
  out: Float32Array,
  field: string,
  others: Readonly<Record<string, Float32Array | undefined>>,
): void {
  for (const [name, other] of Object.entries(others)) {
    if (!other || other.buffer !== out.buffer) continue;
    const apart =
      out.byteOffset >= other.byteOffset + other.byteLength || other.byteOffset >= out.byteOffset + out.byteLength;
    if (!apart) refuse(field, `${field} shares memory with ${name}; use a separate array`);
  }
}

/** Converts the arguments of a call to the library's descriptor, and the library's errors back to the names of the arguments. */

function wrong(field: string, value: unknown, must: string): never {
  refuse(field, `${field} is ${kindOf(value)}, but must be ${must}`);
}

const AXES = {
  nhwc: { x: 'n, h, w, c', w: 'kh, kw, c / groups, k', dy: 'n, oh, ow, k' },
  nchw: { x: 'n, c, h, w', w: 'k, c / groups, kh, kw', dy: 'n, k, oh, ow' },
} as const;

/** Checks that `values` has a shape of four integers. The library checks their ranges. */
export function checkShape(values: Shaped, name: 'x' | 'w' | 'dy', layout: Geometry['layout']): Shape {
  const axes = AXES[layout === 'nchw' ? layout : 'nhwc'][name];
  if (typeof values !== 'object' || values === null || Array.isArray(values) || ArrayBuffer.isView(values)) {
    return wrong(name, values, `an object { shape: [${axes}], data }`);
  }
  const field = `${name}.shape`;
  const shape: unknown = values.shape;
  if (!Array.isArray(shape)) return wrong(field, shape, `a list of four sizes: [${axes}]`);
  if (shape.length !== 4)
    return refuse(field, `${field} is a list of length ${shape.length}, but must be four sizes: [${axes}]`);
  for (const [axis, size] of shape.entries()) checkCount(size, field, `${field}[${axis}]`);
  return shape as unknown as Shape;
}

function perAxis(value: unknown, field: 'stride' | 'dilation'): readonly [number, number] {
  if (value === undefined) return [1, 1];
  if (typeof value === 'number' && Number.isInteger(value)) return [checkCount(value, field), value];
  const must = 'a whole number or [vertical, horizontal]';
  if (!Array.isArray(value)) return wrong(field, value, must);
  if (value.length !== 2) return refuse(field, `${field} is a list of length ${value.length}, but must be ${must}`);
  for (const [axis, step] of value.entries()) checkCount(step, field, `${field}[${axis}]`);
  return value as unknown as readonly [number, number];
}

const MODES = ['valid', 'same', 'full'] as const;
const PADDING = "'valid', 'same', 'full', a whole number, or { top, bottom, left, right }";

function paddingOf(value: unknown): Pick<ConvDesc, 'padding_mode' | 'padding'> {
  if (value === undefined) return { padding_mode: 'explicit_sides', padding: NO_PADDING };
  const mode = MODES.find((name) => name === value);
  if (mode) return { padding_mode: mode, padding: NO_PADDING };
  if (typeof value === 'number' && Number.isInteger(value)) {
    const cells = checkCount(value, 'padding');
    return { padding_mode: 'explicit_sides', padding: { top: cells, bottom: cells, left: cells, right: cells } };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('padding', value, PADDING);
  const sides: Record<string, number> = { ...NO_PADDING };
  for (const [side, cells] of Object.entries(value)) {
    if (!Object.hasOwn(NO_PADDING, side))
      refuse(`padding.${side}`, `padding has no side ${side}; the sides are top, bottom, left and right`);
    if (cells !== undefined) sides[side] = checkCount(cells, `padding.${side}`);
  }
  return { padding_mode: 'explicit_sides', padding: sides as unknown as Padding };
}

/** The library's descriptor. */
export function describe(x: Shape, w: Shape, geometry: Geometry): ConvDesc {
  const { layout = 'nhwc', groups = 1 } = geometry;
  if (!Object.hasOwn(AXES, layout)) wrong('layout', layout, `one of ${Object.keys(AXES).join(', ')}`);
  checkCount(groups, 'groups');
  const [stride_h, stride_w] = perAxis(geometry.stride, 'stride');
  const [dilation_h, dilation_w] = perAxis(geometry.dilation, 'dilation');
  const steps = { layout, stride_h, stride_w, dilation_h, dilation_w, groups, ...paddingOf(geometry.padding) };
  if (layout === 'nchw') return { n: x[0], c: x[1], h: x[2], w: x[3], k: w[0], kh: w[2], kw: w[3], ...steps };
  return { n: x[0], h: x[1], w: x[2], c: x[3], kh: w[0], kw: w[1], k: w[3], ...steps };
}

const FIELDS: Readonly<Record<string, string>> = {
  ...{ n: 'x.shape', h: 'x.shape', c: 'x.shape', x: 'x.shape', k: 'w.shape', kh: 'w.shape', kw: 'w.shape' },
  ...{ stride_h: 'stride', stride_w: 'stride', dilation_h: 'dilation', dilation_w: 'dilation' },
  ...{ groups: 'groups', layout: 'layout', padding: 'padding' },
};
/** A pass or a size of one axis in a message of the library. */
const wordOf = (word: string): string => RESULT_OF[word as Pass] ?? FIELDS[word] ?? word;

/** A failure of the library with the field names of the call; `algorithm` is the field that names the algorithm. */
export function renamedFailure(
  { code, field, message }: ConvFailure,
  padding: Geometry['padding'],
  algorithm: string,
): ConvFailure {
  const text = message.replace(/\b(?:backward|stride|dilation)_\w+/g, wordOf);
  if (field === 'algorithm') return new ConvFailure(code, algorithm, text);
  // The library calls both the width and the weights w.
  const named = field === 'w' ? (code === 'invalid_size' ? 'x.shape' : 'w.shape') : FIELDS[field];
  const side = field.startsWith('padding.') ? (typeof padding === 'object' ? field : 'padding') : '';
  return new ConvFailure(code, named ?? side, text);
}
