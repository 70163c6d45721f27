import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** Width of an element's content box in CSS pixels; 0 until it is laid out. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    let frame = 0;
    const observer = new ResizeObserver(([entry]) => {
      cancelAnimationFrame(frame);
      // In the next frame: what is rendered while the sizes are told may change this one again (a scroll bar appears),
      // which every engine reports as an error of the page, "ResizeObserver loop".
      frame = requestAnimationFrame(() => {
        // Whole pixels: a scroll bar that comes and goes by a fraction must not lay everything out again.
        if (entry) setWidth(Math.floor(entry.contentRect.width));
      });
    });
    observer.observe(target);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [element]);
  return width;
}

/** Height of the window in CSS pixels. */
export function useWindowHeight(): number {
  const [height, setHeight] = useState(window.innerHeight);
  useEffect(() => {
    const follow = () => setHeight(window.innerHeight);
    window.addEventListener('resize', follow);
    return () => window.removeEventListener('resize', follow);
  }, []);
  return height;
}
