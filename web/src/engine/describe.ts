import type { ConvDesc, Shape } from '../protocol/problem';
import type { Geometry, PerAxis, Values } from './api';
import { ConvFailure } from './failure';
import { checkCount, checkFields, checkFloats, checkLength, checkList } from './validate';

const GEOMETRY = ['layout', 'stride', 'dilation', 'groups', 'padding'] as const;

/** Checks the fields of what a caller asks for: all of `needed`, perhaps some of `also`, and those of Geometry. */
export function checkAsked(asked: object, needed: readonly string[], also: readonly string[]): void {
  const there = [...also, ...GEOMETRY].filter((name) => Object.hasOwn(Object(asked), name));
  checkFields(asked, [...needed, ...there], 'what is asked for');
}

/** Checks that `values` is four sizes and as many floats, and returns the sizes. What a size may be, the library says. */
export function checkValues(values: Values, name: string): Shape {
  const { shape, data } = checkFields(values, ['shape', 'data'], name, `${name}.`) as Partial<Values>;
  const field = `${name}.shape`;
  const sizes = checkList(shape, field).map((size) => checkCount(size, field));
  if (sizes.length !== 4) throw new ConvFailure('invalid_argument', field, `${field} is a list, but not of four sizes`);
  const elements = sizes.reduce((product, size) => product * size, 1);
  checkLength(checkFloats(data, `${name}.data`).length, elements, `${name}.data`);
  return sizes as unknown as Shape;
}

function perAxis(value: PerAxis, field: string): readonly [number, number] {
  if (typeof value === 'number') return [value, value];
  const [vertical, horizontal, ...more] = checkList(value, field) as readonly number[];
  if (vertical === undefined || horizontal === undefined || more.length > 0) {
    throw new ConvFailure('invalid_argument', field, `${field} is a list, but not of two numbers`);
  }
  return [vertical, horizontal];
}

function paddingOf(padding: Geometry['padding']): Pick<ConvDesc, 'padding_mode' | 'padding'> {
  const none = { top: 0, bottom: 0, left: 0, right: 0 };
  if (typeof padding === 'string') return { padding_mode: padding, padding: none };
  if (padding === null) throw new ConvFailure('invalid_argument', 'padding', 'padding is null');
  if (typeof padding !== 'number') return { padding_mode: 'explicit_sides', padding: { ...none, ...padding } };
  return { padding_mode: 'explicit_sides', padding: { top: padding, bottom: padding, left: padding, right: padding } };
}

/** The library's descriptor of x and w of these shapes. Its kinds are checked where it is handed over. */
export function describe(x: Shape, w: Shape, geometry: Geometry): ConvDesc {
  const { layout = 'nhwc', groups = 1 } = geometry;
  const [stride_h, stride_w] = perAxis(geometry.stride ?? 1, 'stride');
  const [dilation_h, dilation_w] = perAxis(geometry.dilation ?? 1, 'dilation');
  const steps = { layout, stride_h, stride_w, dilation_h, dilation_w, groups, ...paddingOf(geometry.padding) };
  if (layout === 'nchw') return { n: x[0], c: x[1], h: x[2], w: x[3], k: w[0], kh: w[2], kw: w[3], ...steps };
  return { n: x[0], h: x[1], w: x[2], c: x[3], kh: w[0], kw: w[1], k: w[3], ...steps };
}
