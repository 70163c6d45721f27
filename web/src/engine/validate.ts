import type { LayerSizes } from '../protocol/layers';
import { COUNTS, type ConvDesc, type ConvError, type ErrorCode, type Geometry, SIDES } from '../protocol/problem';
import type { MainModule } from '../wasm/module';

/** The error of all calls: a code, the invalid field ('' if there is no single one), and a message. */
export class ConvFailure extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly field: string,
    message: string,
  ) {
    super(message);
    this.name = 'ConvFailure';
  }
}

/** Any thrown value as a ConvError. Unexpected errors are 'internal': the state of the module is then unknown. */
export function toConvError(thrown: unknown): ConvError {
  if (thrown instanceof ConvFailure) return { code: thrown.code, field: thrown.field, message: thrown.message };
  // Results are copied out of the module. This is the only allocation in JavaScript that may fail.
  if (thrown instanceof RangeError) {
    const message = 'not enough memory for the result. Use a smaller problem';
    return { code: 'out_of_memory', field: '', message };
  }
  const cause = thrown instanceof Error ? thrown.message : String(thrown);
  const message = `the computation failed unexpectedly${inBrackets(withoutAdvice(cause))}`;
  return { code: 'internal', field: '', message };
}

/** Removes the text that Emscripten's loader adds for developers. */
const withoutAdvice = (cause: string): string =>
  cause.replace(/Aborted\((.*)\)\. Build with \S+ for more info\./, '$1');

const inBrackets = (cause: string): string => (cause === '' ? '' : ` (${cause})`);

/**
 * Type checks of arguments. Embind accepts 1.5 or "7" for a count and ignores unknown fields, so arguments are checked
 * before they reach it. Ranges (stride >= 1, ...) are checked only by the library.
 */

export function refuse(field: string, message: string, code: ErrorCode = 'invalid_argument'): never {
  throw new ConvFailure(code, field, message);
}

/** The name of a built-in type, also for values of another realm (an iframe, a test's sandbox). */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Describes a value, for use after "it is". */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 40))}`;
  if (ArrayBuffer.isView(value)) return `${/^I/.test(tagOf(value)) ? 'an' : 'a'} ${tagOf(value)}`;
  return Array.isArray(value) ? 'a list' : `of type ${typeof value}`;
}

/** Checks that `value`, called `what`, is an object with exactly the fields `names`; `prefix` precedes their full names. */
export function checkFields(
  value: unknown,
  names: readonly string[],
  what: string,
  prefix = '',
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(what, `${what} is ${kindOf(value)}, but must be an object`);
  }
  for (const name of names) {
    if (!Object.hasOwn(value, name)) refuse(prefix + name, `${prefix}${name} is missing`);
  }
  for (const name of Object.keys(value)) {
    if (!names.includes(name)) refuse(prefix + name, `${prefix}${name} is not a field of ${what}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

/** Checks for an integer that a double represents exactly. `element` is its name in the message if a field has several. */
export function checkCount(value: unknown, field: string, element = field): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return refuse(field, `${element} is ${kindOf(value)}, but must be a whole number`);
  }
  if (!Number.isSafeInteger(value)) {
    return refuse(field, `${element} is ${value}, but must be at most 2^53 - 1`, 'overflow');
  }
  return value;
}

/** A check that a value `is` what it `must` be. */
const check =
  <Wanted>(is: (value: unknown) => boolean, must: string) =>
  (value: unknown, field: string): Wanted =>
    is(value) ? (value as Wanted) : refuse(field, `${field} is ${kindOf(value)}, but must be ${must}`);

export const checkFinite = check<number>(Number.isFinite, 'a finite number');
export const checkFlag = check<boolean>((value) => typeof value === 'boolean', 'true or false');
export const checkText = check<string>((value) => typeof value === 'string', 'a string');
export const checkList = check<readonly unknown[]>(Array.isArray, 'a list');
export const checkFloats = check<Float32Array>((value) => tagOf(value) === 'Float32Array', 'a Float32Array');
export const checkIndices = check<Int32Array>((value) => value instanceof Int32Array, 'an Int32Array');

export function checkLength(length: number, expected: number, field: string): void {
  if (length !== expected) {
    refuse(field, `${field} has ${length} values, but its shape needs ${expected}`, 'length_mismatch');
  }
}

/** The enumerator `name`, e.g. checkMember(module.Stage, 'x_col', 'stage'). */
export function checkMember<E extends object>(enumeration: E, name: unknown, field: string): Member<E> {
  // Embind's enumerations are constructor functions, which have other properties, too.
  const found =
    typeof name === 'string' && Object.hasOwn(enumeration, name) ? Reflect.get(enumeration, name) : undefined;
  if (isEnumerator(found)) return found as Member<E>;
  return refuse(field, `${field} is ${kindOf(name)}, which is none of ${memberNames(enumeration).join(', ')}`);
}

/** The enumerators of an Embind enumeration, as --emit-tsd types them. */
export type Member<E> = E[keyof E];

const isEnumerator = (value: unknown): value is { readonly value: number } =>
  typeof value === 'object' && value !== null && 'value' in value && typeof value.value === 'number';

export const memberNames = (enumeration: object): string[] =>
  Object.keys(enumeration).filter((name) => isEnumerator(Reflect.get(enumeration, name)));

/** The name of an enumerator that the module returned. */
export function nameOfMember<E extends object>(enumeration: E, member: Member<E>): keyof E & string {
  const name = memberNames(enumeration).find((candidate) => Reflect.get(enumeration, candidate) === member);
  return (name ?? refuse('', 'the module returned an unknown enumerator', 'internal')) as keyof E & string;
}

type EmbindLayer = Parameters<MainModule['set_problem']>[2][number];
type EmbindDesc = EmbindLayer['windows'];
type EmbindGeometry = ReturnType<MainModule['set_problem']>['layers'][number]['geometry'];

function counts<Name extends string>(
  record: Readonly<Record<string, unknown>>,
  names: readonly Name[],
  prefix = '',
): Record<Name, number> {
  const entries = names.map((name) => [name, checkCount(record[name], prefix + name)] as const);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** Checks the types of a ConvDesc and converts it for Embind. The library checks the values. */
function embindDesc(module: Pick<MainModule, 'Layout' | 'PaddingMode'>, desc: ConvDesc): EmbindDesc {
  const fields = checkFields(desc, ['layout', ...COUNTS, 'padding_mode', 'padding'], 'desc');
  const padding = checkFields(fields.padding, SIDES, 'padding', 'padding.');
  return {
    layout: checkMember(module.Layout, fields.layout, 'layout'),
    ...counts(fields, COUNTS),
    padding_mode: checkMember(module.PaddingMode, fields.padding_mode, 'padding_mode'),
    padding: counts(padding, SIDES, 'padding.'),
  };
}

/** A layer without values as set_problem reads it. The library checks its kind. */
export const embindLayer = (
  module: Pick<MainModule, 'Layout' | 'PaddingMode'>,
  desc: ConvDesc,
  { kind, options }: Pick<LayerSizes, 'kind' | 'options'> = { kind: 'conv', options: {} },
): EmbindLayer => ({
  kind: checkText(kind, 'kind'),
  windows: embindDesc(module, desc),
  options: { ...options },
});

export const plainGeometry = (module: MainModule, geometry: EmbindGeometry): Geometry => ({
  ...geometry,
  layout: nameOfMember(module.Layout, geometry.layout),
});
