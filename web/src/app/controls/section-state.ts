import type { ConvDesc } from '../../protocol/problem';
import { resolvePadding } from '../../protocol/shapes';
import { DY_WORDS } from '../../sources/dy-words';
import type { InputTensor } from '../../sources/inputs';
import { choicesOf, tensorEntry } from '../../sources/tensor-sources';
import type { Problem } from '../../state/problem';
import { counted } from '../../ui/quantities';
import type { SectionId } from '../page/sections';

const pair = (name: string, row: number, col: number): string =>
  row === col ? `${name} ${row}` : `${name} ${row} × ${col}`;

/** The settings of a closed section in one line. */
export function stateOf(id: SectionId, { desc, x, w, b, dy }: Problem): string {
  switch (id) {
    case 'moves':
      return [
        paddingOf(desc),
        pair('stride', desc.stride_h, desc.stride_w),
        pair('dilation', desc.dilation_h, desc.dilation_w),
      ].join(', ');
    case 'x':
      return [
        `${desc.h} × ${desc.w}`,
        counted(desc.c, 'channel'),
        ...(desc.n > 1 ? [`batch ${desc.n}`] : []),
        valuesOf('x', x),
      ].join(', ');
    case 'w':
      return [
        `${desc.kh} × ${desc.kw}`,
        counted(desc.k, 'filter'),
        ...(desc.groups > 1 ? [counted(desc.groups, 'group')] : []),
        valuesOf('w', w),
        ...(b ? ['bias'] : []),
      ].join(', ');
    case 'dy':
      return DY_WORDS[dy.kind].label;
  }
}

function paddingOf(desc: ConvDesc): string {
  if (desc.padding_mode === 'same' || desc.padding_mode === 'full') return `${desc.padding_mode} padding`;
  const { top, bottom, left, right } = resolvePadding(desc);
  if (top + bottom + left + right === 0) return 'no padding';
  return [bottom, left, right].every((side) => side === top) ? `padding ${top}` : 'custom padding';
}

function valuesOf(tensor: 'x' | 'w', { source, edited }: InputTensor): string {
  const choice = choicesOf(tensor).find(({ is }) => is(source));
  return `${choice?.label ?? tensorEntry(source).title(source)}${edited ? ', edited' : ''}`;
}
