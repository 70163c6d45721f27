import type { LayerSizes } from '../protocol/layers';
import type { ConvDesc, ConvError, ErrorCode, Geometry } from '../protocol/problem';
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

/** Refuses a value that no type excludes. The library checks the ranges of sizes. */
export function refuse(field: string, message: string, code: ErrorCode = 'invalid_argument'): never {
  throw new ConvFailure(code, field, message);
}

export function checkLength(length: number, expected: number, field: string): void {
  if (length !== expected) {
    refuse(field, `${field} has ${length} values, but its shape needs ${expected}`, 'length_mismatch');
  }
}

/** The name of an enumerator that the module returned. */
export function nameOfMember<E extends object>(enumeration: E, member: E[keyof E]): keyof E & string {
  const [name] = Object.entries(enumeration).find(([, candidate]) => candidate === member) ?? [];
  return (name ?? refuse('', 'the module returned an unknown enumerator', 'internal')) as keyof E & string;
}

type EmbindLayer = Parameters<MainModule['set_problem']>[2][number];
type EmbindGeometry = ReturnType<MainModule['set_problem']>['layers'][number]['geometry'];

/** A layer without values as set_problem reads it. The library checks its kind and its sizes. */
export const embindLayer = (
  { Layout, PaddingMode }: Pick<MainModule, 'Layout' | 'PaddingMode'>,
  { layout, padding_mode, ...desc }: ConvDesc,
  { kind, options }: Pick<LayerSizes, 'kind' | 'options'> = { kind: 'conv', options: {} },
): EmbindLayer => ({
  kind,
  windows: { ...desc, layout: Layout[layout], padding_mode: PaddingMode[padding_mode] },
  options: { ...options },
});

export const plainGeometry = (module: MainModule, geometry: EmbindGeometry): Geometry => ({
  ...geometry,
  layout: nameOfMember(module.Layout, geometry.layout),
});
