import type { ViewState } from '../../look/look';
import { lazy } from '../../ui/lazy';

/** The brush, the target, the overlay, and their settings: downloaded when they are first used. */
export const dyParts = lazy(() => import('./dy-parts'));

/** The parts that this state needs; null: none, or they are loading. */
export const dyPartsFor = ({ paint, target, overlay, same }: ViewState) =>
  paint || target || overlay || same ? dyParts() : null;
