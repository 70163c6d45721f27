import { useLayoutEffect } from 'preact/hooks';
import './scroll-row.css';

/** Width of the fade in CSS pixels, as in scroll-row.css. */
const FADE = 28;

/** For a row that scrolls horizontally: sets `data-cut` to the cut-off edges and scrolls the tab `chosen` into view. */
export function useScrollRow(row: { readonly current: HTMLElement | null }, chosen?: string): void {
  useLayoutEffect(() => {
    const element = row.current;
    if (!element) return;
    const mark = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const cut = [scrollLeft > 1 && 'left', scrollWidth - clientWidth - scrollLeft > 1 && 'right'].filter(Boolean);
      if (cut.length > 0) element.dataset.cut = cut.join(' ');
      else delete element.dataset.cut;
    };
    const reveal = () => {
      const tab = element.querySelector(`[data-tab="${chosen}"]`)?.getBoundingClientRect();
      const { left, right } = element.getBoundingClientRect();
      if (tab) element.scrollLeft += Math.min(0, tab.left - left - FADE) + Math.max(0, tab.right - right + FADE);
      mark();
    };
    reveal();
    element.addEventListener('scroll', mark, { passive: true });
    const sizes = new ResizeObserver(reveal);
    sizes.observe(element);
    const changes = new MutationObserver(mark);
    changes.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      element.removeEventListener('scroll', mark);
      sizes.disconnect();
      changes.disconnect();
    };
  }, [row, chosen]);
}
