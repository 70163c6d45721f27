import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chooseDivision } from '../../../web/src/app/lesson/lecture-fit';
import { LESSONS, linkOf } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import { loadSamples } from '../../../web/src/sources/tensor-sources';
import { openOf } from '../../../web/src/state/problem';
import { READABLE } from '../../../web/src/views/kit/fit';
import { layoutStage } from '../../../web/src/views/kit/stage/layout';
import { THOROUGH } from '../../thorough';
import { geometryOf } from '../geometry/arbitrary-geometry';

// How a lecture divides a window between the text and the view of every step of every lesson.

/** As in the page: the header of the stage, its player and its gaps. */
const AROUND = { width: 40, height: 110 };
const FONTS = [34, 30, 27, 24, 22, 20, 18, 17, 16, 15];
const ZOOMS = [2, 1.7, 1.5, 1.35, 1.2, 1.1, 1];

/** The window of a lecture; its text takes `letters` pixels of area at a font of 1 px. */
function windowOf(width: number, height: number, letters: number) {
  vi.stubGlobal('window', { innerWidth: width, innerHeight: height });
  const widthOf = (font: number) => Math.max(250, Math.ceil((letters * font * font) / height));
  return {
    divisions: FONTS.filter((font) => widthOf(font) <= width / 2).flatMap((font) =>
      ZOOMS.map((zoom) => ({ font, zoom, width: widthOf(font) })),
    ),
    roomAt: (each: { readonly zoom: number; readonly width: number }) => ({
      width: Math.floor((width - 16 - each.width) / each.zoom - AROUND.width),
      height: Math.floor(height / each.zoom - AROUND.height),
    }),
  };
}

afterEach(() => vi.unstubAllGlobals());

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
      const geometry = geometryOf(openOf(problem).desc);
      const isBoard = look.mode === 'board';
      const backward = !look.absent.includes('backward');
      const view = { geometry, bias: openOf(problem).b !== null, backward, controls: true, isBoard };
      const { divisions, roomAt } = windowOf(width, height, 900);
      const chosen = chooseDivision(divisions, roomAt, view);
      const room = roomAt(chosen);
      const shown = layoutStage(geometry, view.bias, room, backward);
      const usual = { width: Math.max(740, width - 320 - 264), height: height - 150 };
      const before = layoutStage(geometry, view.bias, usual, backward);
      if (!isBoard) {
        // Where no text leaves so much room, the view gets as much as any.
        const most = Math.max(...divisions.map((each) => roomAt(each).width));
        expect(room.width, name).toBeGreaterThanOrEqual(Math.min(usual.width, most));
        continue;
      }
      expect(shown.height, name).toBeLessThanOrEqual(room.height);
      for (const column of COLUMNS)
        if (before.cell[column] >= READABLE)
          expect(shown.cell[column], `${name} ${column}`).toBeGreaterThanOrEqual(READABLE);
    }
  });
});

const view = {
  geometry: geometryOf(openOf(parseLink('h=5&kh=3').problem).desc),
  ...{ bias: false, backward: true, controls: true, isBoard: true },
};

it('more text never gets a larger font, and a larger window never a smaller one', () => {
  const fontIn = (width: number, height: number, letters: number) => {
    const { divisions, roomAt } = windowOf(width, height, letters);
    return divisions.length > 0 ? chooseDivision(divisions, roomAt, view).font : 0;
  };
  const letters = fc.integer({ min: 200, max: 2000 });
  fc.assert(
    fc.property(letters, letters, fc.constantFrom(...WINDOWS), (a, b, [width, height]) => {
      expect(fontIn(width, height, Math.max(a, b))).toBeLessThanOrEqual(fontIn(width, height, Math.min(a, b)));
      expect(fontIn(1024, 768, a)).toBeLessThanOrEqual(fontIn(1920, 1080, a));
    }),
    { numRuns: 30 },
  );
});

it('where no division fits, the view gets the widest, and without divisions the smallest text', () => {
  const { divisions, roomAt } = windowOf(500, 300, 400);
  expect(chooseDivision(divisions, roomAt, view)).toEqual(divisions.at(-1) ?? { font: 16, zoom: 1, width: 250 });
  expect(chooseDivision([], roomAt, view)).toEqual({ font: 16, zoom: 1, width: 250 });
});
