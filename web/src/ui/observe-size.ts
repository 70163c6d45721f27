/**
 * Calls `onSize` in the frame after the first layout and after each change of size; returns what ends it. A rendering inside the
 * observer may change the size again (a scroll bar), which browsers report as the error "ResizeObserver loop".
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
