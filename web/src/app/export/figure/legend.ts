import { SIGN, type Sign } from '../../../drawing/compose';
import type { Box, Item } from '../../../drawing/drawing';
import { measure } from '../../../drawing/measure';

/** The legend of a figure: each sample copies the first mark of its kind in the figure. */

interface Kind {
  readonly selector: string;
  readonly words: (name: string | null) => string;
}

const KINDS: readonly Kind[] = [
  { selector: '.mark--focus', words: (name) => name ?? 'the explained cell' },
  { selector: '.mark--source', words: (name) => `inputs of ${name ?? 'the cell'}` },
  { selector: '.mark--target', words: (name) => `cells that use ${name ?? 'the cell'}` },
  { selector: '.mark--term', words: () => 'one term of its sum' },
  { selector: '.mark--wrong', words: () => 'wrong value' },
  { selector: '.mark--unread', words: () => 'read by no window' },
  { selector: '.mark--pending', words: () => 'not computed yet' },
  { selector: '.cell--padding', words: () => 'padding zeros' },
  { selector: '.cell--inserted', words: () => 'inserted zeros' },
];

/** `name` is the name of the explained cell, such as `y[1,1]`. */
export const legendOf = (root: Element, name: string | null): readonly Sign[] =>
  KINDS.flatMap(({ selector, words }) => {
    const found = root.querySelector(selector);
    const sample = found && sampleOf(found);
    return sample && sample.length > 0 ? [{ sample, words: words(name) }] : [];
  });

const BOX: Box = { x: 1, y: 1, width: SIGN - 2, height: SIGN - 2 };
const SQUARE = `M0 0h${BOX.width}v${BOX.height}h${-BOX.width}z`;

/** The colors and lines of a mark on a small square, with an edge if it has none. */
function sampleOf(element: Element): readonly Item[] {
  const items = measure(element).flatMap((item): readonly Item[] => {
    if (item.kind === 'rect')
      return item.fill && item.box.width > 2 && item.box.height > 2 ? [{ ...item, box: BOX }] : [];
    if (item.kind !== 'path') return [];
    const line = item.line && { ...item.line, width: Math.min(2.5, item.line.width) };
    return [{ ...item, d: SQUARE, box: BOX, matrix: [1, 0, 0, 1, 1, 1], ...(line ? { line } : {}) }];
  });
  const edged = items.some((item) => (item.kind === 'rect' || item.kind === 'path') && item.line);
  return edged || items.length === 0 ? items : [...items, { kind: 'rect', box: BOX, line: EDGE }];
}

/** css-ok: visible in both themes. */
const EDGE = { color: '#88839080', width: 1 };
