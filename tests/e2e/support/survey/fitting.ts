import type { Page } from 'playwright-core';

// Checks of texts and small parts; each returns its findings.

/** Panels in which zoom buttons, legend bar or legend values overlap. */
export const collisions = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const textOf = (node: Element) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return range.getBoundingClientRect();
    };
    return [...document.querySelectorAll('.panel')].flatMap((panel) => {
      const boxesOf = (selector: string) =>
        [...panel.querySelectorAll(selector)].map((node) => node.getBoundingClientRect());
      const figures = [...panel.querySelectorAll('.legend__ticks span')].map(textOf);
      const others = [...boxesOf('.zoom__button'), ...boxesOf('.legend__bar')];
      const apart = (a: DOMRect, b: DOMRect, gap = 0) =>
        a.right + gap <= b.left || b.right + gap <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      const pairs = (of: readonly DOMRect[], gap: number) =>
        of.every((a, i) => of.slice(i + 1).every((b) => apart(a, b, gap)));
      // Without a gap "−288540" and "288540" look like one number.
      const fine = pairs(figures, 3) && pairs(others, 0) && figures.every((a) => others.every((b) => apart(a, b)));
      return fine ? [] : [panel.className];
    });
  });

/** Texts less than a pixel from the border of their cell, with their grid. */
export const crowded = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.cell')].flatMap((cell) => {
      if (!cell.textContent) return [];
      const range = document.createRange();
      range.selectNodeContents(cell);
      const text = range.getBoundingClientRect();
      const { left, right, width } = cell.getBoundingClientRect();
      // The border is the last pixel of a cell.
      const fine = text.left >= left + 1 && text.right <= right - 2;
      return fine ? [] : [`${cell.closest('[role=grid]')?.ariaLabel}: ${cell.textContent} in ${width}`];
    }),
  );

/** Parts of a desktop that are as wide as their content: rows of tabs, choices and buttons, side panels, and sizes. */
const WHOLE_ROWS =
  '.views > .tabs__list, .side > .tabs > .tabs__list, .side, .stage__choices, .dock, .scrubber__bar, ' +
  '.number-field input[role=spinbutton]';

const widerThanBox = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate(
    (all) =>
      [...document.querySelectorAll(all)]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ className, scrollWidth, clientWidth }) => `${className}: ${scrollWidth} in ${clientWidth}`),
    selector,
  );

/** Those that are wider than their boxes. */
export const cutOff = (page: Page): Promise<string[]> => widerThanBox(page, WHOLE_ROWS);

/** Titles of panels that end in an ellipsis. */
export const cutTitles = (page: Page): Promise<string[]> => widerThanBox(page, '.figure__subtitle');

/** Zoom buttons and formulas outside of their panel, sizes outside or below their title, and “exactly 0” outside of its plot. */
export const outOfCard = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const parts = [...document.querySelectorAll('.zoom__button, .matrix-product__formula')]
      .filter((element) => element.checkVisibility())
      .map((element) => [element, element.closest('.place:has(.panel), .matrix-product__corner')] as const);
    const labels = [...document.querySelectorAll('.plot__axes text')]
      .filter(({ textContent }) => textContent?.includes('exactly 0'))
      .map((element) => [element, element.closest('.plot__picture')] as const);
    const sizes = [...document.querySelectorAll('.figure__size')].map(
      (element) => [element, element.closest('.figure__head')] as const,
    );
    return [...parts, ...labels, ...sizes].flatMap(([element, around]) => {
      const box = around?.getBoundingClientRect();
      const { left, right, top } = element.getBoundingClientRect();
      const below =
        box &&
        top >= box.bottom - 2 &&
        around?.matches('.figure__head') &&
        getComputedStyle(around).clipPath === 'none';
      return box && !below && left >= box.left && right <= box.right + 0.5
        ? []
        : [element.ariaLabel ?? `${element.textContent}`];
    });
  });

/** Parts of the dock that do not show all of their text, or that the window cuts off. */
export const cutInDock = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.dock, .dock p:not(.visually-hidden), .dock .badge')]
      .filter((part) => part.checkVisibility() && getComputedStyle(part).display !== 'contents')
      .filter((part) => {
        const { scrollHeight, clientHeight, scrollWidth, clientWidth } = part;
        const isCut = scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1;
        return isCut || part.getBoundingClientRect().bottom > innerHeight + 1;
      })
      .map((part) => `${part.className}: ${part.textContent?.slice(0, 40)}`),
  );

/** The spacing of WCAG 1.4.12, which a reader may set. */
const SPACING = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}`;

/** Texts and controls of the header, the settings and the dock that are lost with wide spacing. */
export const cutBySpacing = (page: Page): Promise<string[]> =>
  page.evaluate(async (rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame);
    const within = '.masthead, .stage__question, .stage__settings, .dock';
    const parts = [...document.querySelectorAll(within)].flatMap((part) => [part, ...part.querySelectorAll('*')]);
    const isShown = (part: Element) =>
      part.checkVisibility() && !part.closest('.visually-hidden, [popover], svg, .masthead__title');
    const found = parts.filter(isShown).flatMap((part) => {
      const { left, right, bottom, width } = part.getBoundingClientRect();
      const name = `${part.tagName} ${part.className}: ${part.textContent?.slice(0, 20)}`;
      const { overflowX } = getComputedStyle(part);
      const isCut = overflowX !== 'visible' && part.scrollWidth > part.clientWidth + 1;
      const isOutside = left < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
      const isLost = part instanceof HTMLInputElement && part.type === 'range' && width < 40;
      return isCut || isOutside || isLost ? [name] : [];
    });
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    return found;
  }, SPACING);

/** Figures and products in cells with a font below 11 px, and cells without a figure that show no lens under the pointer. */
export const smallFigures = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const products = [...document.querySelectorAll('.canvas .products')].flatMap((part) => {
      const { fontSize } = getComputedStyle(part);
      return Number.parseFloat(fontSize) < 11 ? [`products of ${fontSize}`] : [];
    });
    const figures = [...document.querySelectorAll('.canvas .number-grid')].flatMap((grid) => {
      const cells = [...grid.querySelectorAll('.cell--data')];
      const written = cells.find(({ textContent }) => textContent !== '');
      const size = written ? Number.parseFloat(getComputedStyle(written).fontSize) : 11;
      const mute = cells.filter((cell) => cell.textContent === '' && !cell.matches('.cell--bare[aria-label]'));
      return [
        ...(size < 11 ? [`${grid.ariaLabel}: figures of ${size} px`] : []),
        ...(mute.length > 0 ? [`${grid.ariaLabel}: ${mute.length} cells without figure and lens`] : []),
      ];
    });
    return [...products, ...figures];
  });
