import { type Judge, loadJudge } from '../src/engine/judge';
import { ConvFailure, refuse, toConvError } from '../src/engine/validate';
import type { NamedArray } from '../src/protocol/judge';
import type { FileVerdict } from '../src/protocol/verdict';
import type { Geometry } from './api';
import { argumentList } from './argument-list';
import { checkData } from './check-call';
import { checkCount, checkFinite, checkFlag, kindOf } from './check-types';

/** An array of any number of axes: row-major. */
export interface CheckedArray {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/**
 * What is known of the layer beside the arrays. The geometry is tried first, and believed only if the values agree. Without it, the
 * values alone decide.
 */
export interface CheckOptions extends Pick<Geometry, 'stride' | 'dilation' | 'groups'> {
  readonly padding?: Exclude<Geometry['padding'], 'full'>;
  /** Results that are this number times the right ones have a reason. 0.1, 0.01, 0.001 and 0.0001 are tried anyway. */
  readonly learning_rate?: number;
  /** The values were printed as text: zeros may be rounded numbers. */
  readonly printed?: boolean;
}

const OPTIONS: readonly string[] = ['stride', 'padding', 'dilation', 'groups', 'learning_rate', 'printed'];

/**
 * Judges arrays that another program computed, by their names in any usual convention: inputs (x, w, b), the upstream gradient
 * (dy), and results (y, dx, dw, db). Finds the order of axes and the geometry by the values. Takes about as long as twenty
 * plain runs of the layer, on the calling thread.
 */
export async function check(
  arrays: Readonly<Record<string, CheckedArray>>,
  options: CheckOptions = {},
): Promise<FileVerdict> {
  const { learning_rate = 0, printed = false, ...known } = checkOptions(options);
  const list = Object.entries(checkArrays(arrays)).map(([name, array]) => namedArray(name, array, printed));
  const judge = await load();
  try {
    return judge(list, argumentList(known), { learning_rate });
  } catch (thrown) {
    throw failureOf(thrown);
  }
}

async function load(): Promise<Judge> {
  try {
    return await loadJudge();
  } catch (cause) {
    const message = 'check.mjs and check.wasm of the package failed to load';
    throw Object.assign(new ConvFailure('module_unavailable', '', message), { cause });
  }
}

function checkArrays(arrays: unknown): Readonly<Record<string, CheckedArray>> {
  if (typeof arrays === 'object' && arrays !== null && !Array.isArray(arrays))
    return arrays as ReturnType<typeof checkArrays>;
  return refuse('arrays', `arrays is ${kindOf(arrays)}, but must be an object { x, w, y, ... }`);
}

function namedArray(name: string, array: unknown, is_text: boolean): NamedArray {
  if (typeof array !== 'object' || array === null)
    return refuse(name, `${name} is ${kindOf(array)}, but must be an object { shape, data }`);
  const { shape, data } = array as Partial<CheckedArray>;
  if (!Array.isArray(shape))
    return refuse(`${name}.shape`, `${name}.shape is ${kindOf(shape)}, but must be a list of sizes`);
  for (const size of shape)
    if (checkCount(size, `${name}.shape`, `a size of ${name}`) < 0)
      refuse(`${name}.shape`, `${name}.shape has ${size}, but sizes must be 0 or more`);
  return { name, shape, values: checkData(data, `${name}.data`, shape), is_text };
}

function checkOptions(options: unknown): CheckOptions {
  if (typeof options !== 'object' || options === null) {
    return refuse('options', `options is ${kindOf(options)}, but must be an object`);
  }
  for (const name of Object.keys(options))
    if (!OPTIONS.includes(name)) refuse(name, `${name} is not an option; the options are ${OPTIONS.join(', ')}`);
  const given = options as CheckOptions;
  const { stride, dilation, groups, padding, learning_rate, printed } = given;
  for (const [name, value] of Object.entries({ stride, dilation, groups }))
    for (const count of [value].flat()) if (count !== undefined) atLeast(1, count, name);
  if (typeof padding === 'object' && padding !== null) {
    for (const [side, count] of Object.entries(padding)) atLeast(0, count, `padding.${side}`);
  } else if (padding !== undefined && padding !== 'same' && padding !== 'valid') atLeast(0, padding, 'padding');
  if (learning_rate !== undefined) checkFinite(learning_rate, 'learning_rate');
  if (printed !== undefined) checkFlag(printed, 'printed');
  return given;
}

function atLeast(least: number, value: unknown, field: string): void {
  if (checkCount(value, field) < least) refuse(field, `${field} is ${value}, but must be at least ${least}`);
}

function failureOf(thrown: unknown): ConvFailure {
  // Without memory, the module ends.
  const isEnd = thrown instanceof WebAssembly.RuntimeError;
  const { code, message } = isEnd
    ? { code: 'out_of_memory' as const, message: 'not enough memory to judge these arrays' }
    : toConvError(thrown);
  return Object.assign(new ConvFailure(code, '', message), { cause: thrown });
}
