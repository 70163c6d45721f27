import { signal } from '@preact/signals';
import type { cellName } from '../../geometry/labels';
import type { linksOf } from '../../geometry/links';
import type { ColorLegend } from '../../ui/grid/ColorLegend';
import type { DyMenu } from './DyMenu';
import type { PlaneChooser } from './PlaneChooser';

interface KitParts {
  readonly PlaneChooser: typeof PlaneChooser;
  readonly DyMenu: typeof DyMenu;
  readonly ColorLegend: typeof ColorLegend;
  readonly cellName: typeof cellName;
  readonly linksOf: typeof linksOf;
}

/** Parts of the panels that the first numbers do without; the second chunk sets them (app/second-parts.ts). */
export const kitParts = signal<KitParts | null>(null);
