import { useLayoutEffect } from 'preact/hooks';
import { READABLE, type Room } from '../../views/kit/fit';
import { layoutStage } from '../../views/kit/stage/layout';
import { useCurrentView } from '../stage/current-view';

/** Zoom factors of the view in a lecture, largest first. */
const ZOOMS: readonly number[] = [1.4, 1.3, 1.2, 1.1, 1, 0.9];
/** CSS pixels; below this height the view scrolls. */
const LEAST_HEIGHT = 400;

/** The largest zoom at which every cell shows its value and the view fits the height of the window. */
export function useLectureZoom(): void {
  const { entry, room, show } = useCurrentView();
  const model = show?.model;
  const content = model?.content.value;
  const g = content?.geometry;
  const bias = content?.tensors.b !== undefined;
  // Changes with the size of the window.
  const laid = room.value !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is measured, in a window of this size
  useLayoutEffect(() => {
    const stage = document.querySelector('.stage');
    const panels = stage?.querySelector('.stage__room');
    if (!g || !stage || !panels) return;
    const { style } = document.documentElement;
    const now = Number(style.getPropertyValue('--lecture-zoom')) || ZOOMS[0] || 1;
    const [whole, inner] = [stage.getBoundingClientRect(), panels.getBoundingClientRect()];
    const roomAt = (zoom: number): Room => ({
      width: whole.width / zoom - (whole.width - inner.width) / now,
      height: whole.height / zoom - (whole.height - inner.height) / now,
    });
    const fits = (zoom: number) => {
      const at = roomAt(zoom);
      const { cell, height: needed } = layoutStage(g, bias, at);
      return at.height >= LEAST_HEIGHT && needed <= at.height && Math.min(cell.x, cell.w, cell.y) >= READABLE;
    };
    style.setProperty('--lecture-zoom', String(ZOOMS.find(fits) ?? 1));
  }, [g, bias, entry, laid, window.innerWidth, window.innerHeight]);
}

/** Lecture styles apply while the root element has data-lecture. */
export function useLectureAttribute(part: 'words' | 'stage' | null): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    if (part) dataset.lecture = part;
    else delete dataset.lecture;
    return () => {
      delete dataset.lecture;
    };
  }, [part]);
}
