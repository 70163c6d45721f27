/** Scrolls so that an element lies between strip and sheet; how far these reach, `scroll-padding` says (phone.css). */
export function scrollTo(element: Element | null, block: 'start' | 'nearest'): void {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element?.scrollIntoView({ block, inline: 'nearest', behavior: calm ? 'instant' : 'smooth' });
}

/** Past the bar of the page, so that the strip is where a sheet of full height leaves its place. */
export function stripToTop(): void {
  const strip = document.querySelector('.strip');
  if (strip) window.scrollBy(0, strip.getBoundingClientRect().top);
}
