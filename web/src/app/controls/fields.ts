import type { BoundedField } from '../../geometry/bounds';
import type { ConvDesc, Padding } from '../../protocol/problem';

/** Label and slider range of a number of ConvDesc. */
export interface FieldText {
  readonly label: string;
  /** The end of the slider; the number box accepts larger values. */
  readonly sliderMax: number;
}

export const FIELDS: Readonly<Record<BoundedField, FieldText>> = {
  n: { label: 'batch', sliderMax: 4 },
  h: { label: 'height', sliderMax: 24 },
  w: { label: 'width', sliderMax: 24 },
  c: { label: 'channels', sliderMax: 8 },
  k: { label: 'filters', sliderMax: 8 },
  kh: { label: 'kernel height', sliderMax: 7 },
  kw: { label: 'kernel width', sliderMax: 7 },
  groups: { label: 'groups', sliderMax: 8 },
  stride_h: { label: 'stride height', sliderMax: 5 },
  stride_w: { label: 'stride width', sliderMax: 5 },
  dilation_h: { label: 'dilation height', sliderMax: 5 },
  dilation_w: { label: 'dilation width', sliderMax: 5 },
  'padding.top': { label: 'padding top', sliderMax: 6 },
  'padding.bottom': { label: 'padding bottom', sliderMax: 6 },
  'padding.left': { label: 'padding left', sliderMax: 6 },
  'padding.right': { label: 'padding right', sliderMax: 6 },
};

export const SIDES: readonly (keyof Padding)[] = ['top', 'bottom', 'left', 'right'];

export function fieldValue(desc: ConvDesc, field: BoundedField): number {
  switch (field) {
    case 'padding.top':
      return desc.padding.top;
    case 'padding.bottom':
      return desc.padding.bottom;
    case 'padding.left':
      return desc.padding.left;
    case 'padding.right':
      return desc.padding.right;
    default:
      return desc[field];
  }
}

/** The patch that sets several fields to the same value. */
export function patchOf(desc: ConvDesc, fields: readonly BoundedField[], value: number): Partial<ConvDesc> {
  const sides = SIDES.filter((side) => fields.includes(`padding.${side}`));
  const padding = { ...desc.padding, ...Object.fromEntries(sides.map((side) => [side, value])) };
  const others = Object.fromEntries(
    fields.filter((field) => !field.startsWith('padding.')).map((field) => [field, value]),
  );
  return sides.length > 0 ? { ...others, padding } : others;
}
