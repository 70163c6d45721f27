import { expect, test } from 'vitest';
import { open, usePage } from '../support/page/open';
import { click } from '../support/page/user';

usePage();

const NETWORK = '#h=4&kh=1&x=ramp&weights=ones&mode=network';

// The focus scrolls its element into view: behind fields, a button would scroll the head out of a low window.
test.each([
  ['conv_transpose;kernel:3;stride:2;weights:ones', 'STRONG', 'Layer 2: transposed conv 3 × 3 (stride 2)'],
  ['max_pool;kernel:2', 'STRONG', 'Layer 2: max pooling 2 × 2'],
  ['relu', 'BUTTON', 'Remove'],
  ['conv;kh:2;kw:2;weights:ones', 'BUTTON', 'Open'],
] as const)('the card of a layer %s has the focus at its head', async (layer, element, text) => {
  await open(`${NETWORK}&layer.2=${layer}&dy=ones`);
  await click(document.querySelectorAll<HTMLElement>('.dy-menu__button')[1] ?? expect.fail('no card'));
  const focused = document.activeElement;
  expect([focused?.tagName, focused?.textContent?.replaceAll('\u00a0', ' ')]).toEqual([element, text]);
});
