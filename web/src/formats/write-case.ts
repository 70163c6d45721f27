import { FILE_LIMITS } from '../protocol/file-limits';
import type { Geometry, Padding } from '../protocol/problem';
import { type Refused, refuse, shapeText } from './format';
import { floatText } from './number-text';

/** A problem with its results as a case file, which `npm run cases` checks against every algorithm there is. */

export interface Case {
  readonly name: string;
  readonly geometry: Geometry;
  /** Flat, in the layout's order; b is null where there is no bias. */
  readonly inputs: Readonly<Record<'x' | 'w' | 'dy', Float32Array>> & { readonly b: Float32Array | null };
  readonly results: Readonly<Record<'y' | 'dx' | 'dw' | 'db', Float32Array>>;
  /** How far another algorithm's number may be away, for each result: the library says it. */
  readonly atol: Readonly<Record<'y' | 'dx' | 'dw' | 'db', number>>;
  /** What opens it here as it is looked at; its numbers may be left out of it. */
  readonly link: string;
}

const RTOL = 1e-5;

export function writeCase({ name, geometry, inputs, results, atol, link }: Case): string | Refused {
  const tensors = { ...inputs, ...results };
  for (const [tensor, values] of Object.entries(tensors)) {
    const at = values?.findIndex((value) => !Number.isFinite(value)) ?? -1;
    if (at !== -1) return refuse(`${tensor} has ${values?.[at]} at index ${at}: JSON has no word for that`);
  }
  const { layout, n, h, w, c, k, kh, kw, oh, ow, group_c } = geometry;
  const pixels = (rows: number, cols: number, channels: number) =>
    layout === 'nhwc' ? [n, rows, cols, channels] : [n, channels, rows, cols];
  const fields: readonly (readonly [string, string])[] = [
    ['name', JSON.stringify(name)],
    ['source', '"conv2d playground"'],
    ['tags', '[]'],
    ['layout', JSON.stringify(layout.toUpperCase())],
    ['x_shape', shapeText(pixels(h, w, c))],
    ['w_shape', shapeText(layout === 'nhwc' ? [kh, kw, group_c, k] : [k, group_c, kh, kw])],
    ['y_shape', shapeText(pixels(oh, ow, k))],
    ['stride', shapeText([geometry.stride_h, geometry.stride_w])],
    ['padding', shapeText(sides(geometry.padding))],
    ['pads', shapeText(sides(geometry.padding))],
    ['dilation', shapeText([geometry.dilation_h, geometry.dilation_w])],
    ['groups', String(geometry.groups)],
    ...Object.entries(tensors).map(([tensor, values]) => [tensor, listText(values)] as const),
    ['expected_from', '"conv2d playground"'],
    ['rtol', String(RTOL)],
    ['atol', String(Math.max(...Object.values(atol)))],
    ['atol_each', JSON.stringify(atol)],
    ['link', JSON.stringify(link)],
  ];
  const text = `{\n${fields.map(([field, value]) => `  "${field}": ${value}`).join(',\n')}\n}\n`;
  const most = FILE_LIMITS.characters;
  if (text.length <= most) return text;
  return refuse(
    `its file would have ${text.length.toLocaleString('en')} characters, and ${most.toLocaleString('en')} are read: save all as .npz`,
  );
}

const sides = ({ top, bottom, left, right }: Padding): readonly number[] => [top, bottom, left, right];

const listText = (values: Float32Array | null): string =>
  values === null ? 'null' : `[${Array.from(values, floatText).join(', ')}]`;
