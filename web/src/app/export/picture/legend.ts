import { SIGN, type Sign } from '../../../drawing/compose';
import type { Box, Item } from '../../../drawing/drawing';
import { measure } from '../../../drawing/measure';

/** What the signs in a picture mean: each looks as the first of its kind that is there. */

interface Kind {
  readonly selector: string;
  readonly words: (name: string | null) => string;
}

const KINDS: readonly Kind[] = [
  { selector: '.mark--focus', words: (name) => name ?? 'the cell that is explained' },
  { selector: '.mark--source', words: (name) => `what ${name ?? 'it'} is made of` },
  { selector: '.mark--target', words: (name) => `what ${name ?? 'it'} feeds` },
  { selector: '.mark--term', words: () => 'one factor of its sum' },
  { selector: '.mark--wrong', words: () => 'not what it should be' },
  { selector: '.mark--unread', words: () => 'read by no window' },
  { selector: '.mark--pending', words: () => 'not computed yet' },
  { selector: '.cell--padding', words: () => 'zeros of the padding' },
  { selector: '.cell--inserted', words: () => 'zeros put in between' },
];

/** `name` is that of the cell spoken of, `y[1,1]`. */
export const signsIn = (root: Element, name: string | null): readonly Sign[] =>
  KINDS.flatMap(({ selector, words }) => {
    const found = root.querySelector(selector);
    const sample = found && sampleOf(found);
    return sample && sample.length > 0 ? [{ sample, words: words(name) }] : [];
  });

const BOX: Box = { x: 1, y: 1, width: SIGN - 2, height: SIGN - 2 };
const SQUARE = `M0 0h${BOX.width}v${BOX.height}h${-BOX.width}z`;

/** Its colours and lines around and in a small square, with an edge where it has none. */
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

/** Seen on paper of both themes. */
const EDGE = { colour: '#88839080', width: 1 };
