import { useLayoutEffect } from 'preact/hooks';
import { rowsOf } from '../../views/kit/stage/layout';
import { useWide } from '../page/hooks';
import type { Page } from '../page/page';
import { rooms, useCurrentView } from '../stage/current-view';

/** Cell size of x in CSS pixels, and the height of its rows if they are few. */
const SMALL = { cell: 28, height: 130 } as const;

/** On a narrow page the text covers half of the view: with smaller cells, x, w and y are above it together. `applies`: no gradients are shown. */
export function useSmallCells({ scene }: Page, applies: boolean): void {
  const { room } = useCurrentView();
  const isSmall = !useWide() && applies;
  const geometry = scene.value?.geometry;
  const rows = isSmall && geometry ? rowsOf(geometry, 'x') : 0;
  useLayoutEffect(() => {
    if (rows === 0) return;
    const { of } = rooms;
    const measure = () => {
      const view = document.querySelector<HTMLElement>('.stage__room');
      if (view) room.value = rooms.of(view);
    };
    rooms.of = (view) => ({ ...of(view), height: Math.max(SMALL.height, rows * SMALL.cell) });
    measure();
    return () => {
      rooms.of = of;
      measure();
    };
  }, [rows, room]);
}
