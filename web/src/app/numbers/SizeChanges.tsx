import type { ConvDesc, CountName } from '../../protocol/problem';
import { SIZES } from '../../protocol/size-table';

const SHOWN = ['n', 'h', 'w', 'c', 'kh', 'kw', 'k', 'groups'] as const;
const nameOf = (size: CountName): string => (size === 'n' ? 'images' : SIZES[size].label);

/** Sizes of the problem that an import changes. */
export function SizeChanges({ before, after }: { readonly before: ConvDesc; readonly after: ConvDesc }) {
  const changed = SHOWN.filter((size) => before[size] !== after[size]);
  if (changed.length === 0) return null;
  return (
    <p>Sizes that change: {changed.map((size) => `${nameOf(size)} ${before[size]} → ${after[size]}`).join(', ')}.</p>
  );
}
