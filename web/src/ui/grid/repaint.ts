/** How a map is painted once more, for a picture that is sharper than the screen. */
export interface Repaint {
  /** Everything but the figures, with so many pixels of the canvas for one of the page. */
  readonly paint: (canvas: HTMLCanvasElement, ratio: number) => void;
  readonly texts: () => readonly Figure[];
}

/** A number in a cell, centred about a point in CSS pixels. */
export interface Figure {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly ink: string;
}

const repaints = new WeakMap<HTMLCanvasElement, Repaint>();

export const repaintOf = (canvas: HTMLCanvasElement): Repaint | undefined => repaints.get(canvas);

/** To be told whenever something else is on the canvas. */
export function keepRepaint(canvas: HTMLCanvasElement, repaint: Repaint): void {
  repaints.set(canvas, repaint);
}
