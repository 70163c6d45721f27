import { im2colRatio } from '../../geometry/matrix';
import type { Geometry } from '../../protocol/problem';
import { formatBytes, formatCount, formatRatio } from '../../ui/quantities';
import { entriesOf } from './choice';
import './meter.css';

/** Memory of x and of x_col, which holds each value of x as often as windows read it. */
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
              {formatCount(count)} values, {formatBytes(4 * count)}
              {name === 'x_col' && <strong> = {formatRatio(im2colRatio(g))} × x</strong>}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
