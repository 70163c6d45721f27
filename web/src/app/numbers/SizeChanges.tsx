import type { ConvDesc } from '../../protocol/problem';

const NAMES = { n: 'images', h: 'height', w: 'width', c: 'channels', kh: 'kernel height', kw: 'kernel width' } as const;
const SIZES = { ...NAMES, k: 'filters', groups: 'groups' } as const;

/** Sizes of the problem that an import changes. */
export function SizeChanges({ before, after }: { readonly before: ConvDesc; readonly after: ConvDesc }) {
  const changed = (Object.keys(SIZES) as (keyof typeof SIZES)[]).filter((size) => before[size] !== after[size]);
  if (changed.length === 0) return null;
  return (
    <p>Sizes that change: {changed.map((size) => `${SIZES[size]} ${before[size]} → ${after[size]}`).join(', ')}.</p>
  );
}
