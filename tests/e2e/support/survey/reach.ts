import type { Page } from 'playwright-core';

interface Part {
  readonly name: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly reached: { readonly right: number; readonly bottom: number };
}

/** Parts of an embedded frame that cannot be scrolled to or that overlap. */
export async function unreachable(page: Page): Promise<string[]> {
  const { sideways, parts, panels } = await page.evaluate(() => {
    const main = document.querySelector('main');
    const room = document.querySelector('.stage__room');
    if (!main || !room) throw new Error('there is no stage');
    const inside = (around: Element, all: readonly Element[]) => {
      const from = around.getBoundingClientRect();
      const [x, y] = [around.scrollLeft - from.left, around.scrollTop - from.top];
      const reached = { right: around.scrollWidth, bottom: around.scrollHeight };
      return all.map((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return { name: one.className, left: left + x, top: top + y, right: right + x, bottom: bottom + y, reached };
      });
    };
    const shown = [...main.querySelectorAll<HTMLElement>('.canvas .panel')].filter((one) => one.offsetParent);
    return {
      sideways: [document.documentElement, main].map((one) => one.scrollWidth - one.clientWidth),
      parts: inside(
        main,
        [...main.children].filter((one) => one.getBoundingClientRect().height > 0),
      ),
      panels: inside(room, shown),
    };
  });
  const narrow = sideways.flatMap((pixels, i) =>
    pixels > 0 ? [`${['the page', 'the frame'][i]} is ${pixels} pixels too narrow`] : [],
  );
  return [...narrow, ...faultsOf(parts), ...faultsOf(panels)];
}

function faultsOf(parts: readonly Part[]): string[] {
  return parts.flatMap((one, i) => {
    const { name, left, top, right, bottom, reached } = one;
    const cut = left < -1 || top < -1 || right > reached.right + 1 || bottom > reached.bottom + 1;
    const covering = parts.slice(i + 1).filter((other) => {
      const wide = Math.min(right, other.right) - Math.max(left, other.left);
      const high = Math.min(bottom, other.bottom) - Math.max(top, other.top);
      return wide > 1 && high > 1;
    });
    return [...(cut ? [`${name} is cut`] : []), ...covering.map((other) => `${name} overlaps ${other.name}`)];
  });
}
