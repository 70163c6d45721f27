import { describe, expect, test } from 'vitest';
import { boundsOf } from '../../../web/src/geometry/sizes';
import { parseLink } from '../../../web/src/link/parse-link';
import type { CountName } from '../../../web/src/protocol/problem';
import { LIMIT_REASON, SIZES } from '../../../web/src/protocol/size-table';
import { openingProblem } from '../../../web/src/state/problem';
import { descOf } from '../geometry/arbitrary-geometry';

/** A link with this value of a field and other sizes that allow it. */
const LINKS: Readonly<Record<CountName, (value: number) => string>> = {
  n: (value) => `h=2&kh=1&n=${value}`,
  h: (value) => `h=${value}&w=1&kh=1`,
  w: (value) => `h=1&w=${value}&kh=1`,
  c: (value) => `h=2&kh=1&c=${value}`,
  k: (value) => `h=2&kh=1&k=${value}`,
  kh: (value) => `h=50&w=2&kh=${value}&kw=1`,
  kw: (value) => `h=2&w=50&kh=1&kw=${value}`,
  groups: (value) => `h=2&kh=1&groups=${value}&c=${value}&k=${value}`,
  stride_h: (value) => `h=9&stride=${value}x1`,
  stride_w: (value) => `h=9&stride=1x${value}`,
  dilation_h: (value) => `h=99&w=3&dilation=${value}x1`,
  dilation_w: (value) => `h=3&w=99&dilation=1x${value}`,
};

describe('a link beyond the limits of the page', () => {
  test.each(Object.entries(LINKS))('of %s is refused for the same reason as in the control', (name, linkOf) => {
    const field = name as CountName;
    const most = SIZES[field].most;
    const least = parseLink(linkOf(most));
    expect([least.fault, least.complaints]).toEqual([null, []]);

    const { fault, complaints, problem } = parseLink(linkOf(most + 1));
    expect(fault).toBe('refused');
    expect(complaints).toHaveLength(1);
    // Groups divide the channels, so the limit of the channels applies first.
    if (name !== 'groups')
      expect(complaints[0]).toContain(`${name} is ${most + 1}, but at most ${most}: ${LIMIT_REASON}`);
    expect(problem).toEqual(openingProblem());

    const wide = descOf({ h: 4000, w: 4000, c: 256, k: 256 });
    expect(boundsOf(wide, field).max).toBe(most);
    if (name !== 'groups') expect(boundsOf(wide, field).maxReason).toBe(LIMIT_REASON);
  });

  test('of padding is refused as in its control', () => {
    expect(parseLink('h=5&padding=64').fault).toBeNull();
    expect(parseLink('h=5&padding=1,2,3,65').complaints[0]).toContain('padding.right is 65, but at most 64: ');
    expect(boundsOf(descOf({}), 'padding.right')).toMatchObject({ max: 64, maxReason: LIMIT_REASON });
  });

  test.each([
    ['k=2000', '#h=5&kh=3&k=2000'],
    ['k=100000', '#h=5&kh=3&k=100000'],
    ['n=100000', '#h=5&kh=3&n=100000'],
    ['kw=1000000 under full padding', '#n=3&h=7&w=9&k=2&kh=1&stride=2&padding=full&kw=1000000'],
    ['11585 x 11585', '#h=11585&w=11585&kh=1&kw=1'],
  ])('that froze the page is refused in one sentence: %s', (_name, hash) => {
    const { fault, complaints } = parseLink(hash);
    expect(fault).toBe('refused');
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatch(/^The link was not opened: .{10,200}\.$/);
  });
});

describe('a link with very many faults', () => {
  test('reports eight of them and the number of the others', () => {
    const { complaints, fault } = parseLink(`h=5&${'a&'.repeat(200)}`);
    expect(fault).toBeNull();
    expect(complaints).toHaveLength(9);
    expect(complaints.at(-1)).toBe('… 192 more.');
    expect(parseLink(`h=5&${'a&'.repeat(8)}`).complaints).toHaveLength(8);
  });

  test.each([
    ['20,000 fields', 'a&'.repeat(20_000)],
    ['a million fields', 'a&'.repeat(1_000_000)],
    ['one name of a million letters', `${'a'.repeat(1_000_000)}=1`],
    ['one setting of a hundred thousand letters', `h=5&dx.${'a'.repeat(100_000)}=&dx.${'a'.repeat(100_000)}=`],
    ['forty thousand hidden cells, one wrong', `h=5&hidden=${'y.1,'.repeat(30_000)}q`],
    ['forty thousand percent signs', `h=5&x=${'%'.repeat(40_000)}`],
  ])('is read or refused without a hang, in few words: %s', (_name, hash) => {
    const { complaints } = parseLink(hash);
    expect(complaints.length).toBeGreaterThan(0);
    expect(complaints.join(' ').length).toBeLessThan(2000);
  });
});

test('reports first why a link is not opened', () => {
  const { fault, complaints } = parseLink(`${'h=5&'.repeat(20)}kh=9`);
  expect(fault).toBe('refused');
  expect(complaints[0]).toMatch(/^The link was not opened: its problem has sizes that do not fit together \(/);
  expect(complaints).toHaveLength(10);
  expect(complaints.at(-1)).toBe('… 11 more.');
});

test.each([
  ['lesson=loss.3&lesson=11&lesson=0', 'lesson', 3],
  ['h=5&cell=y.1&cell=y.2', 'cell', 1],
  ['h=5&s=2&stride=1', 'stride', 1],
])('a field that is given twice is told: %s', (hash, key, count) => {
  const { complaints } = parseLink(hash);
  expect(complaints).toHaveLength(count);
  expect(complaints[0]).toBe(`${key} is in the link more than once; the last one counts.`);
});

test('replaces characters without a glyph in repeated text', () => {
  const { complaints } = parseLink('h=5&kh=3&dy=ones%F1%81%AA%B7%00%EE%80%80%F0%9F%99%82');
  expect(complaints[0]).toMatch(/^dy is "ones\ufffd{3}\u{1f642}" in the link/u);
});

describe('dy of another shape', () => {
  const four = 'f32.AACAPwAAAEAAAEBAAACAQA';

  test('is refused: an edit would have moved its cells', () => {
    const { problem, complaints } = parseLink(`h=5&kh=3&dy=values:1.2.2.1~${four}`);
    expect(problem.loss).toEqual({ kind: 'given', dy: { kind: 'ones' } });
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain('values for the cells of y, with the shape 1.3.3.1');
  });

  test('is read if the shape is that of y', () => {
    const { problem, complaints } = parseLink(`h=4&kh=3&dy=values:1.2.2.1~${four}`);
    expect(complaints).toEqual([]);
    expect(problem.loss).toEqual({
      kind: 'given',
      dy: { kind: 'values', shape: [1, 2, 2, 1], data: Float32Array.of(1, 2, 3, 4) },
    });
  });
});
