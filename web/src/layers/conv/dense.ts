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

export const isDense = (g: Record<'oh' | 'ow' | 'kh' | 'kw' | 'h' | 'w' | 'groups', number>): boolean =>
  g.oh * g.ow * g.groups === 1 && g.kh === g.h && g.kw === g.w;
