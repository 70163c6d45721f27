import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ColorScale } from '../color-scale';
import { lazy } from '../lazy';
import { LoadingNotice } from '../notices';
import { theme } from '../theme';
import type { GridData, GridEvents, Spot } from './grid-data';
import type { MapView } from './HeatGrid';
import type { Mark } from './marks';
import { NumberGrid } from './NumberGrid';
import type { PhotoPlanes } from './pixels';
import './grid-box.css';

/** How a grid is drawn: as values; or as a map, of a part where it does not fit with cells of `least`. In CSS pixels. */
export type Fit =
  | { readonly kind: 'numbers'; readonly size: number }
  | { readonly kind: 'map'; readonly width: number; readonly height: number; readonly least: number };

export interface TensorGridProps extends GridEvents {
  /** The accessible name. */
  readonly label: string;
  readonly data: GridData;
  readonly scale: ColorScale;
  readonly fit: Fit;
  readonly marks: ReadonlySignal<readonly Mark[]>;
  readonly photo?: PhotoPlanes | undefined;
  /** A map scrolls to this cell when it changes. */
  readonly scrollTo?: ReadonlySignal<Spot | null> | undefined;
  /** Renders an overview of the whole of a map. */
  readonly overview?: ((map: MapView) => ComponentChildren) | undefined;
}

/** Lazy: the first problem has no maps. */
const heatGrid = lazy(async () => (await import('./HeatGrid')).HeatGrid);

/** A grid of values: text if the cells are large enough, else a color map with a lens, pan and zoom. */
export function TensorGrid({ fit, photo, scrollTo, overview, ...props }: TensorGridProps) {
  if (fit.kind === 'numbers') return <NumberGrid {...props} theme={theme.value} size={fit.size} />;
  const { width, height, least } = fit;
  const HeatGrid = heatGrid();
  if (!HeatGrid) {
    return (
      <div class="grid-box" style={{ width: `${width}px`, height: `${height}px` }}>
        <LoadingNotice what="The map" of={[heatGrid]} />
      </div>
    );
  }
  return (
    <HeatGrid
      {...props}
      theme={theme.value}
      width={width}
      height={height}
      least={least}
      photo={photo}
      scrollTo={scrollTo}
      {...(overview ? { overview } : {})}
    />
  );
}
