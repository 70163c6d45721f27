import { numberOf } from '../../protocol/layers';
import type { Content } from '../../protocol/messages';
import { type Geometry, SIDES } from '../../protocol/problem';

/** Sizes of the problem: of all layers, or of the one that is shown. */
export function problemLine({ geometry, index, layers }: Content, whole = false): string {
  const number = numberOf(layers, index);
  if (!whole) return `${number && `layer ${number} of ${layers.length}: `}${layerLine(geometry)}`;
  const titles = layers.map(({ title }) => title);
  return `${layers[0] ? sizeLine(layers[0].geometry) : 'x'}; ${titles.join(', ')}`;
}

const many = (count: number, unit: string) => (count > 1 ? ` × ${count} ${unit}` : '');

const sizeLine = (g: Geometry) => `x ${g.h} × ${g.w}${many(g.c, 'channels')}${many(g.n, 'images')}`;

/** "x 7 × 7, w 3 × 3, y 3 × 3; stride 2, padding 1" */
function layerLine(g: Geometry) {
  const pair = (down: number, across: number) => (down === across ? `${down}` : `${down} × ${across}`);
  const sides = SIDES.map((side) => g.padding[side]);
  const padding = new Set(sides).size === 1 ? sides[0] : SIDES.map((side) => `${g.padding[side]} ${side}`).join(', ');
  const moves = [
    `stride ${pair(g.stride_h, g.stride_w)}`,
    ...(sides.some((side) => side > 0) ? [`padding ${padding}`] : []),
    ...(g.dilation_h * g.dilation_w > 1 ? [`dilation ${pair(g.dilation_h, g.dilation_w)}`] : []),
    ...(g.groups > 1 ? [`${g.groups} groups`] : []),
  ];
  return `${sizeLine(g)}, w ${g.kh} × ${g.kw}${many(g.k, 'filters')}, y ${g.oh} × ${g.ow}; ${moves.join(', ')}`;
}
