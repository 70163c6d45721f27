import { describe, expect, it, test } from 'vitest';
import { all, cellAt, hasGrid, one, part, shown, texts } from '../support/page/find';
import { address, NO_LINK, open, usePage } from '../support/page/open';
import { choose, headline, isChecked, openDyMenu } from '../support/page/stage';
import { click, drag, focus, hover, press, tap, typeInto } from '../support/page/user';

usePage();

const ones = (count: number) => Array.from({ length: count }, () => 1);
const zeros = (count: number) => Array.from({ length: count }, () => 0);
const source = async (name: string) => choose(name, await openDyMenu());
const inMenu = async (role: 'button' | 'checkbox' | 'radio', name: string) => one(role, name, await openDyMenu());
const isPinned = () => texts('.explain--pinned').length > 0;
/** The name of the button of the menu has the source. */
const hasSource = (name: string) => all('button', `dy ${name}`, one('main')).length === 1;

describe('the menu of dy', () => {
  it('opens and closes by mouse and keyboard, and a click elsewhere closes it', async () => {
    await open();
    const button = one('button', 'dy ones');
    const focused = () => (document.activeElement as HTMLInputElement | null)?.value;
    await click(button);
    expect(focused()).toBe('ones');
    expect(button.getAttribute('aria-expanded')).toBe('true');
    for (const key of ['Enter', ' ', 'ArrowDown']) {
      await press('Escape');
      expect(document.activeElement).toBe(button);
      expect(button.getAttribute('aria-expanded')).toBe('false');
      await press(key);
      expect(focused(), key).toBe('ones');
    }
    await press('ArrowDown');
    expect(hasSource('random')).toBe(true);
    await click(one('heading', 'Controls'));
    expect(texts('.dy-menu')).toEqual([]);
  });

  it('stays open after a click on the text of a source, which chooses it', async () => {
    await open();
    const menu = await openDyMenu();
    await click(part('span', one('radio', 'a single 1', menu).closest('label') ?? menu));
    expect(hasSource('a single 1')).toBe(true);
    expect(isChecked(one('radio', 'a single 1', menu))).toBe(true);
    expect(one('button', 'dy a single 1').getAttribute('aria-expanded')).toBe('true');
  });

  it('moves the single 1 of dy to a clicked cell, so that dx is w in its window, until that is switched off', async () => {
    await open();
    await source('a single 1');
    await press('Escape');
    await click(cellAt('dy', 1, 1));
    expect(shown('dy')).toEqual([...zeros(5), 1, ...zeros(10)]);
    // Its window starts at row 1, column 1 of x.
    const dx = zeros(49);
    [12, 11, 10, 9, 8, 7, 6, 5, 4].forEach((tap, i) => {
      dx[(1 + Math.floor(i / 3)) * 7 + 1 + (i % 3)] = tap;
    });
    expect(shown('dx')).toEqual(dx);
    await click(await inMenu('checkbox', 'Click a cell of dy to move the 1'));
    await press('Escape');
    await click(cellAt('dy', 2, 2));
    expect(isPinned()).toBe(true);
    expect(shown('dx')).toEqual(dx);
  });

  it('paints −1 on a dy of ones by default; without Paint, a click pins', async () => {
    await open();
    await source('painted');
    await inMenu('radio', '9 × 9');
    await press('Escape');
    expect(shown('dy')).toEqual(ones(16));
    await click(cellAt('dy', 0, 1));
    expect(shown('dy')).toEqual([1, -1, ...ones(14)]);
    expect(shown('db')).toEqual([14]);
    expect(isPinned()).toBe(false);
    await click(await inMenu('checkbox', 'Paint'));
    await press('Escape');
    await click(cellAt('dy', 0, 2));
    expect(isPinned()).toBe(true);
    expect(shown('dy')).toEqual([1, -1, ...ones(14)]);
  });

  it('paints by dragging and by key, with one undo step per stroke', async () => {
    await open();
    await source('painted');
    expect(shown('dy')).toEqual(ones(16));
    await click(await inMenu('radio', '−1'));
    await press('Escape');
    // In one move: the cells in between are painted too.
    await drag(cellAt('dy', 1, 0), cellAt('dy', 1, 3));
    const stroke = [...ones(4), -1, -1, -1, -1, ...ones(8)];
    expect(shown('dy')).toEqual(stroke);
    expect(shown('db')).toEqual([8]);

    await press(' ', cellAt('dy', 3, 3));
    expect(shown('dy')).toEqual([...stroke.slice(0, 15), -1]);
    await press('Control+z');
    expect(shown('dy')).toEqual(stroke);
    await press('Control+z');
    expect(shown('dy')).toEqual(ones(16));

    await click(await inMenu('button', 'Clear'));
    expect(shown('dx')).toEqual(zeros(49));
  });

  it('has dy = 0 with y as the target, until w changes, and shows the target in place of x', async () => {
    await open();
    await source('squared error');
    await click(await inMenu('button', 'Use y as the target'));
    expect(shown('dy')).toEqual(zeros(16));
    await click(await inMenu('checkbox', 'show the target in place of x'));
    expect(shown('target')).toEqual(shown('y'));
    expect(hasGrid('x')).toBe(false);
    await press('Escape');
    // w[1,1] from 8 to 24 adds 16 x to y, and dy is the difference divided by the 16 cells of y: x.
    await typeInto('w', 1, 1, '24');
    expect(shown('dy')).toEqual([0, 2, 4, 6, 14, 16, 18, 20, 28, 30, 32, 34, 42, 44, 46, 48]);
    await click(await inMenu('button', 'Target 0'));
    expect(hasGrid('x')).toBe(true);
  });

  it('draws dx over a photo, and w and dw in the same colors on request', async () => {
    await open();
    await click(one('button', 'Portrait'));
    await click(await inMenu('checkbox', 'dx over x'));
    expect(all('img', 'dx, channel 0, over the photo x')).toHaveLength(1);
    const color = () => cellAt('dw', 0, 0).style.background;
    const own = color();
    await click(await inMenu('checkbox', 'same colors for w and dw'));
    expect(color()).not.toBe(own);
  });

  it('has the sources in every view that shows dy, and the settings of the Overview only there', async () => {
    await open('#h=7&kh=3&mode=dx&dx.way=scatter');
    await source('random');
    expect(hasSource('random')).toBe(true);
    const before = shown('dy');
    await click(await inMenu('button', 'Shuffle'));
    expect(shown('dy')).not.toEqual(before);
    expect(all('checkbox', undefined, await openDyMenu())).toEqual([]);
  });
});

it.each([
  ['locked', 'locked=dy', 1],
  ['hidden', 'hidden=values.dy', 0],
])('the sources of dy are %s by a link', async (_, field, buttons) => {
  await open(`#h=5&kh=3&dy=one_hot:4&${field}`);
  expect(all('button', 'dy a single 1')).toHaveLength(buttons);
  expect(part('.panel--dy .figure__head').textContent).toContain(buttons > 0 ? 'a single 1' : 'gradient of y');
  if (buttons > 0) expect((await inMenu('radio', 'ones')).closest('fieldset[disabled]')).not.toBeNull();
});

it('a link with a brush paints at once, in the same colors', async () => {
  await open('#h=4&kh=3&dy=values:1.2.2.1~i8.AQIDBA&board.paint=true&board.value=0&board.same=true');
  expect(texts('.dy-canvas')).toHaveLength(1);
  await click(cellAt('dy', 1, 1));
  expect(shown('dy')).toEqual([1, 2, 3, 0]);
  expect(isChecked(await inMenu('checkbox', 'same colors for w and dw'))).toBe(true);
  await press('Escape');
  expect(await address()).toContain('&board.paint=true');
});

describe('a 1 at the cell you point at', () => {
  /** The Sobel filter at a window of 5 x 5 cells. */
  const atWindow = (row: number, col: number): number[] => {
    const dx = zeros(25);
    [-1, 0, 1, -2, 0, 2, -1, 0, 1].forEach((weight, i) => {
      dx[(row + Math.floor(i / 3)) * 5 + col + (i % 3)] = weight;
    });
    return dx;
  };
  const canUndo = () => one('button', 'Undo').getAttribute('aria-disabled') !== 'true';

  test('follows the mouse: dx is w at the window, dw is the window; the link follows, and undo does not', async () => {
    await open(NO_LINK);
    expect(shown('dx')).toEqual(atWindow(1, 1));
    expect(hasSource('a 1 at the cell you point at')).toBe(true);
    await hover(cellAt('y', 0, 2));
    expect(shown('dy')).toEqual([0, 0, 1, ...zeros(6)]);
    expect(shown('dx')).toEqual(atWindow(0, 2));
    expect(shown('dw')).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1]);
    await hover(cellAt('dy', 2, 0));
    expect(shown('dx')).toEqual(atWindow(2, 0));
    const before = await address();
    await hover(cellAt('dy', 2, 1));
    expect(shown('dx')).toEqual(atWindow(2, 1));
    // Not on each move: the link is written after a pause, as after other edits.
    expect(window.location.hash).toBe(before);
    await hover(cellAt('x', 0, 0));
    await hover(null);
    expect(shown('dx')).toEqual(atWindow(2, 1));
    expect(await address()).toMatch(/&dy=pointed:7$/);
    expect(headline()).toMatch(/^y\[2,1\]/);
    expect(canUndo()).toBe(false);
    await open(await address());
    expect(shown('dx')).toEqual(atWindow(2, 1));
  });

  test('stays while the focus moves through y and dy; follows Space and a tap', async () => {
    await open(NO_LINK);
    await focus(cellAt('y', 0, 0));
    await press('ArrowRight');
    expect(headline()).toContain('y[0,1]');
    await focus(cellAt('dy', 0, 0));
    await press('ArrowDown');
    expect(shown('dx')).toEqual(atWindow(1, 1));
    await press(' ');
    expect(shown('dx')).toEqual(atWindow(1, 0));
    await tap(cellAt('y', 2, 2));
    expect(shown('dx')).toEqual(atWindow(2, 2));
    await tap(cellAt('x', 0, 0));
    expect(shown('dx')).toEqual(atWindow(2, 2));
    expect(canUndo()).toBe(false);
  });

  test.each([
    ['hidden values', 'hidden=dw.0'],
    ['a lock of dy', 'locked=dy'],
  ])('does not follow with %s', async (_, field) => {
    await open(`#h=5&kh=3&x=corner&weights=filter:sobel_x&dy=pointed:4&${field}`);
    expect(hasSource('a 1 at the cell you point at')).toBe(true);
    await hover(cellAt('y', 0, 2));
    expect(headline()).toContain('y[0,2]');
    expect(shown('dx')).toEqual(atWindow(1, 1));
  });
});
