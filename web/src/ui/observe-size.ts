/**
 * Calls `onSize` in the frame after each change of an element's size, and after the first layout. Not inside the observer: a
 * rendering there may change the size again (a scroll bar appears), which every browser reports as the error "ResizeObserver
 * loop". Returns a function that ends it.
 */
export function observeSize(element: Element | null, onSize: (entry: ResizeObserverEntry) => void) {
  let frame = 0;
  const observer = new ResizeObserver(([entry]) => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => entry && onSize(entry));
  });
  if (element) observer.observe(element);
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}
