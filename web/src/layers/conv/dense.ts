import type { WindowSizes } from '../../protocol/layers';
import { NO_PADDING } from '../../protocol/problem';

/** A dense layer is a convolution with the size of its input. */

type Window = Omit<WindowSizes, 'k'>;

export const denseWindow = ({ h, w }: { readonly h: number; readonly w: number }): Window => ({
  ...{ kh: h, kw: w, stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1 },
  ...{ groups: 1, padding_mode: 'valid', padding: NO_PADDING },
});

export const DENSE_LABEL = 'Dense: kernel = input size';

/** `isDense`: the kernel has the size of the input already. */
export const denseText = (isDense: boolean): string =>
  `${isDense ? 'This is' : 'That gives'} a dense (fully connected) layer: one window covers all of x, so each filter has a weight for every cell and gives one number.`;

type Resolved = Record<'h' | 'w', number> & Omit<Window, 'padding_mode'>;

/** Of resolved sizes: those of a geometry, or of a description with its padding in cells. */
export const isDense = ({ h, w, kh, kw, dilation_h, dilation_w, groups, padding }: Resolved): boolean =>
  kh === h && kw === w && dilation_h * dilation_w * groups === 1 && !Object.values(padding).some(Boolean);
