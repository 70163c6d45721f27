import type { ErrorCode } from '../protocol/errors';
import type { Shape } from '../protocol/problem';
import type { Geometry, Gradient, Result, Values } from './api';
import { checkShape } from './describe';
import { ConvFailure } from './failure';
import { checkFloats, kindOf } from './validate';

/** Checks of the arguments of a call. A failure names the field and its allowed values. */

const GRADIENTS: readonly Gradient[] = ['dx', 'dw', 'db'];
export const RESULTS: readonly Result[] = ['y', ...GRADIENTS];
export const GEOMETRY = ['layout', 'stride', 'dilation', 'groups', 'padding'] as const;

const refuse = (field: string, message: string, code: ErrorCode = 'invalid_argument'): never => {
  throw new ConvFailure(code, field, message);
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** Checks that the argument of `call` is an object with all fields of `needed`, and no others except `also`. */
export function checkCall(args: unknown, call: string, needed: readonly string[], also: readonly string[]): void {
  if (!isRecord(args)) {
    const given = args === undefined ? 'nothing' : kindOf(args);
    refuse('', `${call} was given ${given}, but takes an object { ${[...needed, '...'].join(', ')} }`);
    return;
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
  for (const name of Object.keys(record as object)) {
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
