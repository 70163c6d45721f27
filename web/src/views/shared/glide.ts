import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Elements glide from where they were to where they are, for the eye to follow. Not with reduced motion. */

const EASING = 'cubic-bezier(0.2, 0, 0, 1)';

/** In ms: within a view, and between two views. */
const WITHIN = 160;
const BETWEEN = 240;
/** Until another view is drawn. */
const MOST_FRAMES = 30;

type Frames = ReadonlyMap<string, Element>;

const placesOf = (frames: Frames): ReadonlyMap<string, DOMRect> =>
  new Map([...frames].map(([name, frame]) => [name, frame.getBoundingClientRect()]));

/** Moves each frame from its place and size before to those of now, which it returns. */
function glide(frames: Frames, before: ReadonlyMap<string, DOMRect>, duration: number): ReadonlyMap<string, DOMRect> {
  const places = placesOf(frames);
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return places;
  for (const [name, now] of places) {
    const { left, top, width } = before.get(name) ?? now;
    const scale = now.width > 0 ? width / now.width : 1;
    const [x, y] = [left - now.left, top - now.top];
    if (Math.abs(x) < 1 && Math.abs(y) < 1 && Math.abs(scale - 1) < 0.01) continue;
    const from = { transformOrigin: '0 0', transform: `translate(${x}px, ${y}px) scale(${scale})` };
    frames.get(name)?.animate([from, { transformOrigin: '0 0' }], { duration, easing: EASING });
  }
  return places;
}

/** The framed values of the marked panels within `root`, by their mark. */
const framesIn = (root: ParentNode | null): Frames =>
  new Map(
    [...(root?.querySelectorAll<HTMLElement>('[data-flip]') ?? [])].flatMap((panel) =>
      [...panel.querySelectorAll('.panel__frame')].map((frame, i) => [`${panel.dataset.flip} ${i}`, frame] as const),
    ),
  );

/** A reference to the root of panels that glide when `layout` changes. */
export function useGlide(layout: unknown): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  const before = useRef<ReadonlyMap<string, DOMRect>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the places of the panels follow from it
  useLayoutEffect(() => {
    before.current = glide(framesIn(root.current), before.current, WITHIN);
  }, [layout]);
  return root;
}

/** Where a network has the tensors of layer 0: as `data-flip` and the number of the frame. */
const IN_NETWORK = { x: '0 0 0', w: '1 1 0', y: '1 0 0', dx: '0 2 0', dw: '1 1 1', dy: '1 2 0' } as const;

/** The framed values of a layer, in its network or alone. */
function framesOf(layer: number): Frames {
  const frames = framesIn(document);
  return new Map(
    Object.entries(IN_NETWORK).flatMap(([name, key]) => {
      const inNetwork = frames.get(key.replace(/^\d/, (at) => String(Number(at) + layer)));
      const frame = inNetwork ?? document.querySelector(`.canvas .panel--${name} .panel__frame`);
      return frame ? [[name, frame] as const] : [];
    }),
  );
}

/** `go` changes between a network and layer `layer` alone: its tensors fly from one to the other. Then the focus goes to `focus`. */
export function flyLayer(layer: number, go: () => void, focus: string): void {
  const before = framesOf(layer);
  const places = placesOf(before);
  // The other view is drawn in one of the next frames, or not at all.
  const land = (frames: number) => {
    const now = framesOf(layer);
    if (now.get('x') && now.get('x') !== before.get('x')) {
      glide(now, places, BETWEEN);
      document.querySelector<HTMLElement>(focus)?.focus();
    } else if (frames > 0) requestAnimationFrame(() => land(frames - 1));
  };
  go();
  land(MOST_FRAMES);
}
