import { arrange, sizeIn } from '../formats/layouts';
import { packLink } from '../link/compress';
import { DEFAULT_LOOK } from '../look/look';
import type { NamedArray } from '../protocol/judge';
import type { ConvDesc, Shape } from '../protocol/problem';
import { bShape, checkDesc, shapeSize, wShape, xShape, yShape } from '../protocol/shapes';
import type { LayerVerdict } from '../protocol/verdict';
import type { DySource } from '../sources/dy-sources';
import type { InputTensor } from '../sources/inputs';
import { problemOfLayer } from '../state/problem';

/** The link that opens a judged layer on the page: its geometry, x, w, b and dy. */

export type PageLink =
  /** Without the "#". */
  | { readonly hash: string }
  /** Why there is none. */
  | { readonly reason: string };

/** Longer ones are cut by many programs. */
const MOST_CHARACTERS = 8000;

/** Null: the page shows no such layer by a link, or the file does not have its inputs. */
export async function linkOf(layer: LayerVerdict, arrays: readonly NamedArray[]): Promise<PageLink | null> {
  const found = operandsOf(layer, arrays);
  const { x, w } = found;
  const axes = axesOf(layer);
  if (!axes || !x || !w) return null;
  const inX = ordered(x, axes.x);
  const inW = ordered(w, axes.w);
  const desc = inX && inW && descOf(layer, axes, inX, inW);
  if (!inX || !inW || !desc) return null;
  const fault = checkDesc(desc);
  if (fault) return { reason: `the page does not show it: ${fault.message}` };
  const nchw = desc.layout === 'nchw';
  const [pixels, weights] = nchw ? ['NCHW', 'OIHW'] : ['NHWC', 'HWIO'];
  const input = (name: string, shape: Shape, data: Float32Array): InputTensor | null =>
    data.length === shapeSize(shape) ? { shape, data, source: { kind: 'brought', name }, edited: false } : null;
  const ofX = input(x.name, xShape(desc), arrange(x.values, inX, pixels));
  const ofW = input(w.name, wShape(desc), arrange(w.values, inW, weights));
  const ofB = found.b ? input(found.b.name, bShape(desc), found.b.values) : null;
  const dy = dyOf(layer, found, axes.x, pixels, yShape(desc));
  if (!ofX || !ofW || !dy || (found.b && !ofB)) return null;
  const problem = problemOfLayer(desc, { x: ofX, w: ofW, b: ofB, dy });
  const { hash, omitted } = await packLink({ problem, look: DEFAULT_LOOK });
  if (omitted.length === 0 && hash.length <= MOST_CHARACTERS) return { hash };
  return { reason: 'its arrays are too large for a link. Open the file on the page' };
}

type Role = 'x' | 'w' | 'b' | 'dy' | 'y';

/** The arrays that the results were judged with. */
function operandsOf(layer: LayerVerdict, arrays: readonly NamedArray[]): Partial<Record<Role, NamedArray>> {
  const names = new Map<string, string>();
  for (const { operands } of Object.values(layer.tensors)) {
    for (const text of operands) {
      const [role = '', ...name] = text.split(': ');
      names.set(role, name.join(': '));
    }
  }
  if (layer.dy !== 'file') names.delete('dy');
  if (layer.tensors.y) names.set('y', layer.tensors.y.array);
  const roles = ['x', 'w', 'b', 'dy', 'y'] as const;
  return Object.fromEntries(
    roles.flatMap((role) => {
      const array = arrays.find(({ name }) => name === names.get(role));
      return array ? [[role, array]] : [];
    }),
  );
}

interface Axes {
  readonly x: string;
  readonly w: string;
}

/** A letter for each axis; a 1-D convolution moves along a row. Null: not a convolution that the page shows. */
function axesOf({ kind, geometry }: LayerVerdict): Axes | null {
  const { x, w } = geometry?.order ?? {};
  if ((kind !== 'conv' && kind !== 'conv1d') || !x || !w) return null;
  return { x: x.replace('L', 'W'), w: w.replace('L', 'W') };
}

interface Ordered {
  readonly axes: string;
  readonly shape: readonly number[];
}

/** Null: the shape has other axes. Depthwise weights of TensorFlow, HWCM, are HWIO with C times M filters. */
function ordered({ shape }: NamedArray, axes: string): Ordered | null {
  if (shape.length !== axes.length) return null;
  if (!axes.endsWith('CM')) return { axes, shape };
  const [channels = 0, multiplier = 0] = shape.slice(-2);
  return { axes: axes.replace('CM', 'IO'), shape: [...shape.slice(0, -2), 1, channels * multiplier] };
}

function descOf({ geometry }: LayerVerdict, axes: Axes, x: Ordered, w: Ordered): ConvDesc | null {
  if (!geometry) return null;
  const { stride, dilation, padding, groups } = geometry;
  const [top = 0, bottom = 0, left = 0, right = 0] = padding;
  const inX = (letter: string) => sizeIn(x.axes, x.shape, letter);
  const inW = (letter: string) => sizeIn(w.axes, w.shape, letter);
  return {
    layout: axes.x.endsWith('C') ? 'nhwc' : 'nchw',
    ...{ n: inX('N'), h: inX('H'), w: inX('W'), c: inX('C') },
    ...{ k: inW('O'), kh: inW('H'), kw: inW('W'), groups },
    ...{ stride_h: stride[0] ?? 1, stride_w: stride[1] ?? 1 },
    ...{ dilation_h: dilation[0] ?? 1, dilation_w: dilation[1] ?? 1 },
    ...{ padding_mode: 'explicit_sides', padding: { top, bottom, left, right } },
  };
}

function dyOf(
  { dy }: LayerVerdict,
  found: Partial<Record<Role, NamedArray>>,
  axes: string,
  order: string,
  shape: Shape,
): DySource | null {
  const size = shapeSize(shape);
  const painted = (data: Float32Array): DySource | null =>
    data.length === size ? { kind: 'values', shape, data } : null;
  if (dy === 'mean') return painted(new Float32Array(size).fill(1 / size));
  const array = dy === 'file' ? found.dy : dy === 'y' ? found.y : undefined;
  if (!array) return { kind: 'ones' };
  return array.shape.length === axes.length
    ? painted(arrange(array.values, { axes, shape: array.shape }, order))
    : null;
}
