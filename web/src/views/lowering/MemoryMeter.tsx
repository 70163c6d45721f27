import { loweringRatio } from '../../geometry/matrix';
import type { Geometry } from '../../protocol/problem';
import { formatBytes, formatCount, formatRatio } from '../../ui/quantities';
import { entriesOf } from './choice';
import './meter.css';

/** What x_col costs: the numbers of x, each as often as windows read it. */
export function MemoryMeter({ geometry: g }: { readonly geometry: Geometry }) {
  const pixels = g.n * g.h * g.w * g.c;
  const entries = entriesOf(g);
  const most = Math.max(pixels, entries, 1);
  const bars = [
    { name: 'x', count: pixels },
    { name: 'x_col', count: entries },
  ];
  return (
    <dl class="meter" aria-label="memory">
      {bars.map(({ name, count }) => (
        <div key={name} class="meter__line">
          <dt class="symbol">{name}</dt>
          <dd>
            <span class="meter__bar" style={{ width: `${(count / most) * 100}%` }} />
            <span class="meter__text">
              {formatCount(count)} numbers, {formatBytes(4 * count)}
              {name === 'x_col' && <strong> = {formatRatio(loweringRatio(g))} × x</strong>}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
