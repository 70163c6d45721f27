import type { PlaneSizes, WindowSizes } from '../protocol/layers';
import type { ConvError, Padding } from '../protocol/problem';

/** A pooling window, in cells. Padding is never the largest cell. */
export interface PoolFields {
  readonly kh: number;
  readonly kw: number;
  readonly stride_h: number;
  readonly stride_w: number;
  readonly padding: Padding;
}

/** The members that all kinds of pooling share. */
export const pooling = {
  window: ({ kh, kw, stride_h, stride_w, padding: sides }: PoolFields, { c }: PlaneSizes): WindowSizes => ({
    ...{ k: c, kh, kw, stride_h, stride_w, dilation_h: 1, dilation_w: 1, groups: c },
    ...{ padding_mode: 'explicit_sides', padding: sides },
  }),
  fault({ kh, kw, padding: { top, bottom, left, right } }: PoolFields, input: PlaneSizes): ConvError | null {
    if (Math.max(top, bottom) >= kh || Math.max(left, right) >= kw) {
      return { code: 'invalid_padding', field: 'padding', message: 'the padding must be smaller than the window' };
    }
    const axes = [
      ['kh', kh, input.h + top + bottom, 'rows'],
      ['kw', kw, input.w + left + right, 'columns'],
    ] as const;
    const [field, size, room, lines] = axes.find(([, window, cells]) => window > cells) ?? [];
    if (field === undefined) return null;
    return { code: 'kernel_too_large', field, message: `the window has ${size} ${lines}, but its input has ${room}` };
  },
} as const;

export const poolTitle = (name: string, { kh, kw }: PoolFields): string => `${name} ${kh} × ${kw}`;
