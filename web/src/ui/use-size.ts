import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Width of an element's content box in CSS pixels; 0 before its first layout. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    let frame = 0;
    const observer = new ResizeObserver(([entry]) => {
      cancelAnimationFrame(frame);
      // In the next frame: a rendering inside the observer may change the size again (a scroll bar appears), which every
      // browser reports as the error "ResizeObserver loop".
      frame = requestAnimationFrame(() => {
        // Whole pixels: a change of a fraction of a pixel must not cause a new layout.
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
