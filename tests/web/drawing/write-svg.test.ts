import { describe, expect, it } from 'vitest';
import type { Drawing, Font, Item } from '../../../web/src/drawing/drawing';
import { extentOf } from '../../../web/src/drawing/drawing';
import { writeSvg } from '../../../web/src/drawing/write-svg';

const FONT: Font = { family: 'system-ui, "Segoe UI"', size: 13, weight: '400', italic: false };
const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
const text = (words: string): Item => ({
  ...{ kind: 'text', text: words, box: box(0, 0, 40, 15), x: 0, y: 12, width: 40, font: FONT, fill: '#000000' },
});
const drawn = (...items: readonly Item[]): Drawing => ({
  ...{ width: 100.2, height: 50, background: '#ffffff', title: 'a', description: 'b', items },
});
const written = (...items: readonly Item[]) => writeSvg(drawn(...items), () => 'data:image/png;base64,AA==');

describe('a drawing as SVG', () => {
  it('writes texts as escaped text elements', () => {
    const svg = written(text('a < b & "c"\u0007'));
    expect(svg).toContain('>a &lt; b &amp; &quot;c&quot;</text>');
    expect(svg).toContain(`font-family="system-ui, 'Segoe UI'"`);
    expect(svg).toContain('textLength="40"');
    // One character needs no textLength.
    expect(written(text('7'))).not.toContain('textLength');
  });

  it('writes a translucent color as color and opacity', () => {
    const svg = written({
      kind: 'rect',
      box: box(1, 2, 3.00049, 4),
      fill: '#14102880',
      line: { color: '#ff0000', width: 2 },
    });
    expect(svg).toContain(
      '<rect x="1" y="2" width="3" height="4" fill="#141028" fill-opacity="0.502" stroke="#ff0000" stroke-width="2"/>',
    );
  });

  it('defines a pattern once, with its origin at the corner of each filled area', () => {
    const fill = { kind: 'dots', color: '#b3ac9c', pitch: 7, radius: 1.1 } as const;
    const svg = written({ kind: 'rect', box: box(0, 0, 9, 9), fill }, { kind: 'rect', box: box(20, 5, 9, 9), fill });
    expect(svg.match(/<pattern /g)).toHaveLength(1);
    expect(svg).toContain('transform="translate(20 5)" width="9" height="9" fill="url(#p0)"');
  });

  it('clips at whole pixels, and crops hidden content of a group', () => {
    expect(written()).toContain('viewBox="0 0 101 50"');
    const group: Item = { kind: 'group', clip: box(0, 0, 10, 10), opacity: 1, items: [text('far')] };
    expect(extentOf([group])).toEqual(box(0, 0, 10, 10));
    expect(
      extentOf([
        { ...group, clip: null },
        { kind: 'rect', box: box(-5, 0, 2, 2) },
      ]),
    ).toEqual(box(-5, 0, 45, 15));
  });
});
