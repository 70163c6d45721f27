/** Repaints a map with a higher resolution, for export. */
export interface Repaint {
  /** Everything except text, with `ratio` canvas pixels per CSS pixel. */
  readonly paint: (canvas: HTMLCanvasElement, ratio: number) => void;
  readonly texts: () => readonly CanvasText[];
}

/** The text of a cell, centered at a point in CSS pixels. */
export interface CanvasText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly ink: string;
}

const repaints = new WeakMap<HTMLCanvasElement, Repaint>();

export const repaintOf = (canvas: HTMLCanvasElement): Repaint | undefined => repaints.get(canvas);

/** Call it after each change of the canvas. */
export function setRepaint(canvas: HTMLCanvasElement, repaint: Repaint): void {
  repaints.set(canvas, repaint);
}
