import type { Page } from 'playwright-core';

/** Motion of this page lasts for minutes, so that what happens during it does not depend on the machine. */
export const slowMotion = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...how) {
      const animation = animate.apply(this, how);
      animation.playbackRate = 0.001;
      return animation;
    };
  });
