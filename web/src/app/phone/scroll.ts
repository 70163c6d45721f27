/** Scrolls an element between strip and sheet; `scroll-padding` in phone.css has their sizes. */
export function scrollTo(element: Element | null, block: 'start' | 'nearest'): void {
  const reduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element?.scrollIntoView({ block, inline: 'nearest', behavior: reduced ? 'instant' : 'smooth' });
}

/** Scrolls past the header, so that the strip is above a sheet of full height. */
export function scrollStripToTop(): void {
  const strip = document.querySelector('.strip');
  if (strip) window.scrollBy(0, strip.getBoundingClientRect().top);
}
