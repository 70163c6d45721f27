import { describe, expect, it, test } from 'vitest';
import { cellAt, part, texts } from '../support/page/find';
import { NO_LINK, open, usePage } from '../support/page/open';
import { explained } from '../support/page/stage';
import { click, hover } from '../support/page/user';

usePage();

const line = (): string => texts('.sum__text').join();
const remark = (): string => texts('.sum__remark').join();
/** The same in words, in Explain. */
const inWords = (): string | undefined => texts('.formula', explained())[0];
/** The products in the window of x; those that count. */
const products = (): string[] => texts('.panel--x .products__one');
const counting = (): string[] => texts('.panel--x .products__one--counts');

describe('the sum of the outlined cell stands between the rows', () => {
  /** x is 1 in its last three rows and columns; w is the Sobel filter; dy is 1 at [1,1]. */
  it.each([
    ['y', 1, 1, 'y[1,1] = 1·2 + 1·1 = 3', '7 products are 0'],
    ['y', 2, 0, 'y[2,0] = 1·1 + 1·2 + 1·1 = 4', '6 products are 0'],
    ['y', 0, 2, 'y[0,2] = 1·(−1) + 1·1 = 0', '7 products are 0'],
    ['dx', 2, 1, 'dx[2,1] = 1·(−2) = −2', 'one stamp covers this cell'],
    ['dx', 0, 0, 'dx[0,0] = 0', 'no stamp covers this cell'],
    ['dw', 1, 1, 'dw[1,1] = 1·1 = 1', '8 products are 0'],
    ['db', 0, 0, 'db[0] = 1', '8 cells of dy are 0'],
  ])('%s[%d,%d]', async (tensor, row, col, sum, rest) => {
    await open(NO_LINK);
    await hover(cellAt(tensor, row, col));
    // The 1 of dy follows the pointer over y.
    expect(line()).toBe(sum);
    expect(remark()).toBe(rest);
    await click(cellAt(tensor, row, col));
    expect([line(), inWords()]).toEqual([sum, sum]);
  });

  test('with the bias, and each stamp of a dy of ones', async () => {
    await open('#h=3&kh=2&x=ramp&weights=ones&dy=ones&bias=ones');
    // x is 0, 1, 2 / 3, 4, 5 / 6, 7, 8.
    await hover(cellAt('y', 0, 0));
    expect(line()).toBe('y[0,0] = 1·1 + 3·1 + 4·1 + 1 = 9');
    await click(cellAt('y', 0, 0));
    expect(inWords()).toBe(line());
    await click(cellAt('y', 0, 0));
    await hover(cellAt('dx', 1, 1));
    expect(line()).toBe('dx[1,1] = 1·1 + 1·1 + 1·1 + 1·1 = 4');
    expect(remark()).toBe('4 stamps cover this cell');
  });

  test('shortened, if it has too many terms for one line', async () => {
    await open('#h=9&kh=9&x=ones&weights=ones');
    await hover(cellAt('y', 0, 0));
    const [, terms = '', more] = /^y\[0,0\] = (.*) \+ … (\d+) more = 81$/.exec(line()) ?? [];
    expect(terms.split(' + ').length + Number(more)).toBe(81);
  });

  test('not of a hidden value, nor its products', async () => {
    await open('#h=3&kh=2&x=ramp&weights=ones&dy=ones&hidden=y.0');
    await hover(cellAt('y', 0, 0));
    expect(line()).toBe('');
    expect(products()).toEqual([]);
    await hover(cellAt('y', 0, 1));
    expect(line()).toBe('y[0,1] = 1·1 + 2·1 + 4·1 + 5·1 = 12');
  });
});

test('the window of x shows the products; those that are 0 are faint', async () => {
  await open(NO_LINK);
  await hover(cellAt('y', 1, 1));
  expect(products()).toEqual(['0·−1', '0·0', '0·1', '0·−2', '1·0', '1·2', '0·−1', '1·0', '1·1']);
  expect(counting()).toEqual(['1·2', '1·1']);
});

test('the products are on the padding, too', async () => {
  await open('#h=3&kh=3&padding=1&x=ramp&weights=ones');
  await hover(cellAt('y', 0, 0));
  expect(products()).toEqual(['0·1', '0·1', '0·1', '0·1', '0·1', '1·1', '0·1', '3·1', '4·1']);
  expect(counting()).toEqual(['1·1', '3·1', '4·1']);
  const [first] = document.querySelectorAll<HTMLElement>('.panel--x .products__one');
  expect([first?.style.left, first?.style.top]).toEqual(['0px', '0px']);
});

describe('the titles of gradients', () => {
  const subtitle = (tensor: string) =>
    part(`.panel--${tensor} .figure__subtitle`).textContent?.replaceAll('\u00a0', ' ');
  it.each([
    [NO_LINK, 'w, stamped where the window was', 'the window times dy', 'if there were a bias'],
    ['#h=5&kh=3&dy=one_hot:4&bias=ones', 'w, stamped where the window was', 'the window times dy', 'the sum of dy'],
    ['#h=5&kh=3&dy=ones&bias=ones', '9 stamps of w added up', '9 windows · dy added up', 'the sum of dy'],
    ['#h=5&kh=3&n=2&dy=ones', '9 stamps of w added up', '18 windows · dy added up', 'if there were a bias'],
    ['#h=5&kh=3&k=2&dy=one_hot:3', 'filter 1 of w, stamped where the window was', 'the window times dy', undefined],
    ['#h=5&kh=3&c=2&dy=ones', 'channel 0 of', 'channel 0 of', 'if there were a bias'],
  ])('%s', async (link, dx, dw, db) => {
    await open(link);
    expect([subtitle('dx'), subtitle('dw')]).toEqual([dx, dw]);
    if (db) expect(subtitle('db')).toBe(db);
  });
});
