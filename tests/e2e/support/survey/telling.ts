import type { Page } from 'playwright-core';

/**
 * Grids with values in which the chosen cell is 0 and another is not, and sums of a view that are 0. A grid of errors may be 0 where it
 * is best.
 */
export const openedOnZero = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const grids = [...document.querySelectorAll('.canvas .grid-box:has(.number-grid)')].flatMap((box) => {
      const label = box.querySelector('[role=grid]')?.ariaLabel ?? '';
      const cells = [...box.querySelectorAll<HTMLElement>('.cell--data')];
      const mark = box.querySelector('.mark--focus .mark__line')?.getBoundingClientRect();
      if (!mark || /errors/.test(label)) return [];
      const [x, y] = [(mark.left + mark.right) / 2, (mark.top + mark.bottom) / 2];
      const chosen = cells.find((cell) => {
        const { left, right, top, bottom } = cell.getBoundingClientRect();
        return left < x && x < right && top < y && y < bottom;
      });
      const isZero = chosen && Number(chosen.dataset['value']) === 0;
      return isZero && cells.some(({ dataset }) => Number(dataset['value']) !== 0)
        ? [`${label}[${chosen.dataset['row']},${chosen.dataset['col']}] is 0`]
        : [];
    });
    const sums = [
      ...document.querySelectorAll('.check-table tr:has([aria-label^="backward pass"]) td, .evidence strong'),
    ].flatMap(({ textContent, className }) => (textContent === '0' ? [`the view is about a 0 ${className}`] : []));
    return [...grids, ...sums];
  });
