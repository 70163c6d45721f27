/**
 * Runs in the page. Returns by how much it is wider than its window, the elements outside that cannot be scrolled to,
 * and the stage panels without size.
 */
export function outOfWindow() {
  const room = document.documentElement.clientWidth;
  const scrolls = (element: Element | null): boolean => {
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  };
  const outside = [...document.querySelectorAll('body *')].filter((element) => {
    const { left, right, width: wide, height: tall } = element.getBoundingClientRect();
    const beyond = wide > 0 && tall > 0 && (right > room + 1 || left < -1);
    return beyond && !element.closest('.visually-hidden, svg') && !scrolls(element.parentElement);
  });
  const empty = [...document.querySelectorAll('main .panel, main .figure, main [role=grid]')].filter(
    (element) => element.getBoundingClientRect().width < 2 || element.getBoundingClientRect().height < 2,
  );
  const name = ({ tagName, className }: Element) => `${tagName}.${className}`;
  return {
    wider: document.documentElement.scrollWidth - room,
    outside: outside.map(name).slice(0, 5),
    empty: empty.map(name).slice(0, 5),
    panels: document.querySelectorAll('main .panel, main table').length,
  };
}
