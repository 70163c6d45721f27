import { expect, it, vi } from 'vitest';
import { all, one, part, texts } from '../support/page/find';
import { address, open, usePage } from '../support/page/open';
import { choose, explained, headline, openMode, slider, textOf } from '../support/page/stage';
import { click, press } from '../support/page/user';

usePage();

const NOTEBOOK = '#v=2&h=7&w=7&kh=3&kw=3&stride=2&padding=1&x=ramp&weights=countdown:12&dy=ones';

it('the look is in the link: view, its options, the pinned cell', async () => {
  await open(`${NOTEBOOK}&mode=dx&dx.way=gather&dx.t=5&cell=y.5`);
  // 2 rows of 4: y[1,1] of the notebook's case 4.
  expect(headline()).toBe('y[1,1] = 1020');
  expect(textOf(slider('steps of dx by gather'))).toBe('5');
  expect(one('tab', 'dx').getAttribute('aria-selected')).toBe('true');
  await openMode('im2col');
  expect(await address()).toMatch(/&mode=lowering&dx\.way=gather&dx\.t=5&cell=y\.5$/);
});

it('a key hides the controls, and a button shows them', async () => {
  await open(NOTEBOOK);
  expect(all('spinbutton', 'height')).toHaveLength(1);
  await press('Control+b');
  expect(all('spinbutton', 'height')).toEqual([]);
  expect(await address()).toMatch(/&controls=folded$/);
  await click(one('button', 'Show controls'));
  expect(all('spinbutton', 'height')).toHaveLength(1);
});

it('an algorithm can be chosen in the side panel, runs, is stored in the link, and is released from the stage', async () => {
  await open();
  await click(one('tab', 'Algorithms'));
  const panel = one('tabpanel', 'Algorithms');
  const summary = () => texts('summary', panel).filter((text) => text.includes('dx by'));
  await click(
    [...panel.querySelectorAll('summary')].find(({ textContent }) => textContent?.includes('dx by')) ?? panel,
  );
  await choose('gather', panel);
  expect(summary().join()).toContain('dx by gather');
  expect(await address()).toContain('gather');
  await click(one('tab', 'Explain'));
  expect(part('h2, .explain__title', explained())).toBeTruthy();
  await click(one('button', /^dx by gather/));
  expect(all('button', /^dx by gather/)).toEqual([]);
  expect(await address()).not.toContain('gather');
});

it('the color key has the ramp of cells with figures, and that of maps where there are some', async () => {
  const ramps = () => part('.color-scale__bar').style.backgroundImage.match(/linear-gradient/g)?.length;
  await open('#h=5&kh=3');
  expect(ramps()).toBe(1);
  await open('#h=200&kh=3');
  await vi.waitFor(() => expect(ramps()).toBe(2));
});

it('a network says nothing about the largest of a hidden gradient', async () => {
  await open('#lesson=vanishing.1');
  // dx is asked for; dy1 to dy4 are 0.125, 0.25, 0.5 and 1 everywhere.
  expect(texts('.panel__note')).toEqual(['largest 0.125', 'largest 0.25', 'largest 0.5', 'largest 1']);
});
