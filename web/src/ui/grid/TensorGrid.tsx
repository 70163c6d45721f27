import { lazy } from '../lazy';
import { LoadingNotice } from '../notices';
import { sized } from './grid-data';
import type { MapOptions, MapRoom } from './HeatGrid';
import { type GridProps, NumberGrid } from './NumberGrid';

/** How a grid is drawn: as values; or as a map, of a part where it does not fit with cells of `least`. In CSS pixels. */
export type Fit = { readonly kind: 'numbers'; readonly size: number } | ({ readonly kind: 'map' } & MapRoom);

export interface TensorGridProps extends GridProps, MapOptions {
  readonly fit: Fit;
}

/** Lazy: the first problem has no maps. */
const heatGrid = lazy('The map', async () => (await import('./HeatGrid')).HeatGrid);

/** A grid of values: text if the cells are large enough, else a color map with a lens, pan and zoom. */
export function TensorGrid({ fit, ...props }: TensorGridProps) {
  if (fit.kind === 'numbers') return <NumberGrid {...props} size={fit.size} />;
  const HeatGrid = heatGrid();
  if (HeatGrid) return <HeatGrid {...props} room={fit} />;
  return (
    <div class="grid-box" style={sized(fit.width, fit.height)}>
      <LoadingNotice of={heatGrid} />
    </div>
  );
}
