import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LESSONS, linkOf } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import { loadSamples } from '../../../web/src/sources/tensor-sources';
import { READABLE } from '../../../web/src/views/shared/fit';
import { layoutStage } from '../../../web/src/views/shared/stage/layout';
import { THOROUGH } from '../../thorough';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { layerOf } from '../support/problems';

// The view of every step of every lesson in a lecture, with the width of the text and the zoom of lecture.css.

const SHEET = readFileSync(new URL('../../../web/src/app/lesson/lecture.css', import.meta.url), 'utf8');

/** The numbers of a pattern in the style sheet. */
function numbersIn(pattern: RegExp): readonly number[] {
  const [, ...found] = pattern.exec(SHEET) ?? [];
  expect(found.length, String(pattern)).toBeGreaterThan(0);
  return found.map(Number);
}

/** What surrounds the view: the gap to the text, its header, player and gaps. */
const GAP = 16;
const FRAME = { width: 40, height: 110 };

/** The room of the view. */
function roomIn(width: number, height: number, isBoard: boolean) {
  const clamp = /clamp\((\d+)px, 100vw - (\d+)px, (\d+)vw\)/.source;
  const pattern = isBoard
    ? new RegExp(`"board"\\] .app__columns [^}]*${clamp}`)
    : new RegExp(`data-lecture\\] .app__columns [^}]*${clamp}`);
  const [least = 0, view = 0, share = 0] = numbersIn(pattern);
  const text = Math.max(least, Math.min(width - view, (share / 100) * width));
  const [minWidth = 0, minHeight = 0, large = 1] = numbersIn(
    /min-width: (\d+)px\) and \(min-height: (\d+)px\) \{\s*:root\[data-lecture="board"\] .stage \{\s*zoom: ([\d.]+)/,
  );
  const zoom = isBoard && width >= minWidth && height >= minHeight ? large : 1;
  return {
    width: Math.floor((width - GAP - text) / zoom - FRAME.width),
    height: Math.floor(height / zoom - FRAME.height),
  };
}

const WINDOWS: readonly (readonly [width: number, height: number])[] = [
  [1024, 768],
  [1280, 720],
  ...(THOROUGH
    ? ([
        [1366, 768],
        [1920, 1080],
      ] as const)
    : []),
];
const COLUMNS = ['x', 'w', 'y'] as const;

const STEPS = LESSONS.flatMap((lesson) =>
  lesson.steps.map((step, index) => ({ name: `${lesson.id}.${index + 1}`, link: linkOf({ lesson, index, step }) })),
);

describe.each(WINDOWS)('%i x %i', (width, height) => {
  it('the view of each step is not cut, and shows all values that it shows without a lecture', async () => {
    await loadSamples();
    for (const { name, link } of STEPS) {
      const { problem, look } = parseLink(link);
      const geometry = geometryOf(layerOf(problem).desc);
      const isBoard = look.mode === 'board';
      const backward = !look.hiddenParts.includes('backward');
      const bias = layerOf(problem).b !== null;
      const room = roomIn(width, height, isBoard);
      const shown = layoutStage(geometry, bias, room, backward);
      const usual = { width: Math.max(740, width - 320 - 264), height: height - 150 };
      const before = layoutStage(geometry, bias, usual, backward);
      if (!isBoard) {
        // A narrow window has no room for a text beside so much.
        expect(room.width, name).toBeGreaterThanOrEqual(Math.min(usual.width - FRAME.width, width - 310));
        continue;
      }
      expect(shown.height, name).toBeLessThanOrEqual(room.height);
      for (const column of COLUMNS)
        if (before.cell[column] >= READABLE)
          expect(shown.cell[column], `${name} ${column}`).toBeGreaterThanOrEqual(READABLE);
    }
  });
});
