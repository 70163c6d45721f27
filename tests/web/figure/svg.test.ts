import { describe, expect, it } from 'vitest';
import { dots, type Font, group, joined, moved, type Piece, rect, text, writeSvg } from '../../../web/src/figure/svg';

const FONT: Font = { family: 'system-ui, "Segoe UI"', size: 13, weight: '400', italic: false };
const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
const line = (words: string): Piece => text(words, { x: 0, y: 12, width: 40 }, FONT, '#000000', box(0, 0, 40, 15));
const written = (...pieces: readonly Piece[]) =>
  writeSvg(joined(pieces), { width: 100.2, height: 50, background: '#ffffff', title: 'a & b', description: 'c' }).svg;

describe('a figure', () => {
  it('has its texts as escaped text elements', () => {
    const svg = written(line('a < b & "c"\u0007'));
    expect(svg).toContain('>a &lt; b &amp; &quot;c&quot;</text>');
    expect(svg).toContain(`font-family="system-ui, 'Segoe UI'"`);
    expect(svg).toContain('textLength="40"');
    expect(svg).toContain('<title id="title">a &amp; b</title>');
    // One character needs no textLength.
    expect(written(line('7'))).not.toContain('textLength');
  });

  it('has a translucent color as color and opacity', () => {
    const svg = written(rect(box(1, 2, 3.00049, 4), { fill: '#14102880', line: { color: '#ff0000', width: 2 } }));
    expect(svg).toContain(
      '<rect x="1" y="2" width="3" height="4" fill="#141028" fill-opacity="0.502" stroke="#ff0000" stroke-width="2"/>',
    );
  });

  it('defines a pattern once, with its origin at the corner of each filled area', () => {
    const fill = dots('#b3ac9c', 7, 1.1);
    const svg = written(moved(rect(box(0, 0, 9, 9), { fill }), 3, 4), rect(box(20, 5, 9, 9), { fill }));
    expect(svg.match(/<pattern /g)).toHaveLength(1);
    expect(svg).toContain(`transform="translate(20 5)" width="9" height="9" fill="url(#${fill.id})"`);
    expect(svg).toContain(`<pattern id="${fill.id}"`);
    expect(dots('#b3ac9d', 7, 1.1).id).not.toBe(fill.id);
  });

  it('clips at whole pixels, and crops hidden content of a group', () => {
    expect(written()).toContain('viewBox="0 0 101 50"');
    const far = line('far');
    const clipped = group(far, { clip: box(0, 0, 10, 10) });
    expect(clipped.box).toEqual(box(0, 0, 10, 10));
    const [, id = 'none'] = /clip-path="url\(#([^)]+)\)"/.exec(clipped.svg) ?? [];
    expect(written(clipped)).toContain(`<clipPath id="${id}"><rect x="0" y="0" width="10" height="10"/></clipPath>`);
    expect(group(far, {})).toBe(far);
    expect(joined([far, rect(box(-5, 0, 2, 2), {})]).box).toEqual(box(-5, 0, 45, 15));
    expect(moved(far, 2, 3).box).toEqual(box(2, 3, 40, 15));
  });
});
