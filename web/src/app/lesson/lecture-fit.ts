import type { Geometry } from '../../protocol/problem';
import { leastFont } from '../../ui/numbers';
import { READABLE, type Room } from '../../views/kit/fit';
import { layoutStage } from '../../views/kit/stage/layout';

/** How the lecture view divides the window: the size and the width of the text, and the zoom of the view beside it. */

/** Font sizes of the text in CSS pixels, largest first. */
const FONTS: readonly number[] = [34, 30, 27, 24, 22, 20, 18, 17, 16, 15];
/** The largest beside a view other than the Overview, which has more to show. */
const VIEW_FONT = 24;
/** Zoom factors of the view, largest first. */
const ZOOMS: readonly number[] = [2, 1.7, 1.5, 1.35, 1.2, 1.1, 1];
/** CSS pixels; the largest width of the text is a share of the window. */
const TEXT_WIDTH = { least: 250, share: 0.5 } as const;
/** Share of the largest possible size that the cells keep while the text grows. */
const CELL_SHARE = 0.85;
/** What surrounds the view in the page without a lecture: controls, side panel and gaps; header, settings and player. */
const OUTSIDE = { controls: 264, side: 320, height: 150 } as const;
/** Least width of views other than the Overview in a window that is narrower without a lecture. */
const NARROW_VIEW = 740;
/** CSS pixels; below this height, and below this width, the view scrolls. */
const LEAST: Room = { width: 560, height: 400 };

interface LectureView {
  readonly geometry: Geometry;
  readonly bias: boolean;
  readonly backward: boolean;
  /** Without the lecture, the controls are shown. */
  readonly controls: boolean;
  /** Its cells depend on the layout of the tensors alone; other views have at least the room that they have without a lecture. */
  readonly isBoard: boolean;
}

interface Division {
  readonly font: number;
  readonly zoom: number;
  /** Of the text, in CSS pixels. */
  readonly width: number;
}

/** Font size of values in CSS pixels, zoomed. Fewer digits come before a smaller font, and none before an illegible one. */
const LEAST_DIGITS = 12;

/** CSS pixels around the text in its column. */
const TEXT_MARGIN = 12;

export const textRoom = (text: HTMLElement): number => (text.closest('.side')?.clientHeight ?? 0) - TEXT_MARGIN;

/** Sets the division of the window. `text` is the element with all text of the step. */
export function fitLecture(text: HTMLElement, view: LectureView): void {
  const side = text.closest('.side');
  const columns = text.closest('.app__columns');
  const stage = columns?.querySelector('.stage');
  const panels = stage?.querySelector<HTMLElement>('.stage__room');
  if (!side || !columns || !stage || !panels) return;
  const { style } = document.documentElement;
  const now = Number(style.getPropertyValue('--lecture-zoom')) || 1;
  const [whole, inner] = [stage.getBoundingClientRect(), panels.getBoundingClientRect()];
  const around = {
    width: (whole.width - inner.width) / now + panels.offsetWidth - panels.clientWidth,
    height: (whole.height - inner.height) / now,
  };
  const gap = Number.parseFloat(getComputedStyle(columns).columnGap) || 0;
  const roomAt = ({ zoom, width }: Division): Room => ({
    width: Math.floor((columns.clientWidth - gap - width) / zoom - around.width),
    height: Math.floor(whole.height / zoom - around.height),
  });
  const widths = textWidths(text, textRoom(text), Math.floor(TEXT_WIDTH.share * columns.clientWidth));
  const divisions = FONTS.filter((font) => view.isBoard || font <= VIEW_FONT).flatMap((font) => {
    const width = widths(font);
    return width === null ? [] : ZOOMS.map((zoom): Division => ({ font, zoom, width }));
  });
  const chosen = chooseDivision(divisions, roomAt, view);
  style.setProperty('--lecture-zoom', String(chosen.zoom));
  leastFont.value = Math.ceil(LEAST_DIGITS / chosen.zoom);
  style.setProperty('--lecture-width', `${chosen.width}px`);
  style.setProperty('--text-lecture', `${chosen.font}px`);
}

/** The least width with which the text fits the height, for each font size; null: none does. */
function textWidths(text: HTMLElement, height: number, most: number): (font: number) => number | null {
  return (font) => {
    const { style } = text;
    style.setProperty('--text-lecture', `${font}px`);
    const fits = (width: number) => {
      style.width = `${width}px`;
      return text.offsetHeight <= height && text.scrollWidth <= width;
    };
    let [low, high]: [number, number] = [TEXT_WIDTH.least, most];
    const possible = fits(high);
    while (possible && high - low > 8) {
      const middle = Math.floor((low + high) / 2);
      if (fits(middle)) high = middle;
      else low = middle + 1;
    }
    style.width = '';
    style.removeProperty('--text-lecture');
    return possible ? high : null;
  };
}

/** The largest text beside which the view shows its values large enough, and then the largest zoom. */
export function chooseDivision(
  divisions: readonly Division[],
  roomAt: (division: Division) => Room,
  { geometry, bias, backward, controls, isBoard }: LectureView,
): Division {
  const columns = ['x', 'w', 'y'] as const;
  const tried = divisions.map((division) => {
    const room = roomAt(division);
    const { cell, height } = layoutStage(geometry, bias, room, backward);
    const fits = room.width >= LEAST.width && room.height >= LEAST.height && height <= room.height;
    return { division, room, fits, cell };
  });
  const fitting = tried.filter(({ fits }) => fits);
  // Tensors that show values in some division. Larger ones are maps in all.
  const readable = columns.filter((name) => fitting.some(({ cell }) => cell[name] >= READABLE));
  const sizeOf = ({ division, cell }: (typeof tried)[number]) =>
    readable.some((name) => cell[name] < READABLE)
      ? 0
      : division.zoom * Math.min(...readable.map((name) => cell[name]));
  const usual = {
    width: Math.max(NARROW_VIEW, window.innerWidth - OUTSIDE.side - (controls ? OUTSIDE.controls : 0)),
    height: window.innerHeight - OUTSIDE.height,
  };
  // As large as without a lecture, where they can be.
  const before = Math.min(...columns.map((name) => layoutStage(geometry, bias, usual, backward).cell[name]));
  const largest = Math.max(0, ...fitting.map(sizeOf));
  const least = Math.min(largest, Math.max(before, CELL_SHARE * largest));
  const good = fitting.find(
    (each) =>
      sizeOf(each) >= least && (isBoard || (each.room.width >= usual.width && each.room.height >= usual.height)),
  );
  const widest = fitting.toSorted((a, b) => b.room.width - a.room.width)[0];
  const smallest = { font: 16, zoom: 1, width: TEXT_WIDTH.least };
  return (good ?? widest)?.division ?? divisions.at(-1) ?? smallest;
}
