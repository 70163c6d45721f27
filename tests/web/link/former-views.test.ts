import { describe, expect, test } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import { writeLink } from '../../../web/src/link/write-link';
import { DEFAULT_LOOK } from '../../../web/src/look/look';

/** Links of pages that had the view "dy and loss". They never change. */
const PROBLEM = 'v=2&h=7&w=7&kh=3&kw=3&stride=2&padding=1&x=ramp&weights=countdown:12';
const AS_THERE = { paint: true, target: true, overlay: true };

describe('a link to the former view "dy and loss"', () => {
  test.each([
    ['by name', `${PROBLEM}&dy=ones&mode=dy`, AS_THERE],
    [
      'with a brush',
      'h=4&kh=3&dy=values:1.2.2.1~i8.AQIDBA&mode=dy&dy.value=1&dy.reach=4',
      {
        ...AS_THERE,
        value: 1,
        reach: 4,
      },
    ],
    ['with its settings first', `dy.same=true&${PROBLEM}&dy=one_hot:5&mode=dy`, { ...AS_THERE, same: true }],
    ['with a target', `${PROBLEM}&dy=mse:0&mode=dy&dy.same=true`, { ...AS_THERE, same: true }],
    ['typed by hand', 'kh=3&mode=dy', AS_THERE],
    ['with the player of the Overview, which it did not have', `${PROBLEM}&mode=dy&board.t=5`, AS_THERE],
  ])('%s opens the Overview with the same picture', (_name, hash, board) => {
    const { look, complaints, problem } = parseLink(hash);
    expect(complaints).toEqual([]);
    expect(look).toEqual({ ...DEFAULT_LOOK, settings: { board } });
    expect(parseLink(writeLink({ problem, look }).hash).look).toEqual(look);
  });

  test('keeps the dy and the rest of the link', () => {
    const { look, problem } = parseLink(`${PROBLEM}&dy=one_hot:5&mode=dy&cell=dy.5&slice=n1&side=code&controls=folded`);
    expect(problem.dy).toEqual({ kind: 'one_hot', index: 5 });
    expect(look).toMatchObject({ pinned: { tensor: 'dy', index: 5 }, side: 'code', controls: 'folded' });
  });
});

describe('the settings of that view in a link to another one', () => {
  test('change nothing', () => {
    const { look, complaints } = parseLink(
      `${PROBLEM}&mode=dx&dx.way=gather&dx.t=5&dy.same=true&dy.value=~1&dy.reach=1&cell=y.12&slice=n1.k3&colours=root`,
    );
    expect(complaints).toEqual([]);
    expect(look.mode).toBe('dx');
    expect(look.settings).toEqual({ dx: { way: 'gather', t: 5 } });
    expect(parseLink(`${PROBLEM}&dy.same=true`).look).toEqual(DEFAULT_LOOK);
  });

  test('with an unknown name are ignored', () => {
    expect(parseLink('h=5&mode=dy&dy.other=1')).toMatchObject({
      look: { settings: { board: AS_THERE } },
      complaints: [],
    });
  });
});

test('a link that locks or hides the tab of that view still opens, without a complaint', () => {
  const { look, complaints } = parseLink(`${PROBLEM}&hidden=dx,mode.dy,mode.learn&locked=mode.dy,stride`);
  expect(complaints).toEqual([]);
  expect(look).toMatchObject({ masked: [{ tensor: 'dx', index: null }], absent: ['mode.learn'], locked: ['stride'] });
  expect(parseLink(`${PROBLEM}&hidden=mode.dw2`).complaints).toHaveLength(1);
});
