import { describe, expect, test } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import { writeLink } from '../../../web/src/link/write-link';
import { DEFAULT_LOOK } from '../../../web/src/look/look';
import { shapeSize, yShape } from '../../../web/src/protocol/shapes';
import { DY_SOURCES, type DySource, dyEntry } from '../../../web/src/sources/dy-sources';
import { DY_WORDS } from '../../../web/src/sources/dy-words';
import { editDySource } from '../../../web/src/state/edits';
import { openOf, type Problem } from '../../../web/src/state/problem';
import { descOf } from '../geometry/arbitrary-geometry';
import { withDesc } from '../support/problems';

const { problem } = parseLink('h=7&stride=2&padding=1&x=ramp');
const shape = yShape(openOf(problem).desc);
const dy = Float32Array.from({ length: shapeSize(shape) }, (_, i) => i - 3);

/** Each source as chosen in the menu; a loss also with a target. */
const made = DY_SOURCES.flatMap((entry): readonly (readonly [string, DySource])[] => {
  const source = entry.make({ shape, dy });
  return [[entry.kind, source], ...(entry.loss ? [[`${entry.kind}, target`, entry.loss.toward(dy)] as const] : [])];
});

const set = (source: DySource): Problem => {
  const edited = editDySource(problem, source);
  if ('error' in edited) throw new Error(edited.error.message);
  return edited.problem;
};

test('sources of dy have different kinds and labels', () => {
  expect(new Set(DY_SOURCES.map(({ kind }) => kind)).size).toBe(DY_SOURCES.length);
  expect(new Set(DY_SOURCES.map(({ kind }) => DY_WORDS[kind].label)).size).toBe(DY_SOURCES.length);
});

describe.each(made)('%s', (_label, source) => {
  test('comes back from a link', () => {
    const { hash, omitted } = writeLink({ problem: set(source), look: DEFAULT_LOOK });
    expect(omitted).toEqual([]);
    const { problem: back, complaints } = parseLink(hash);
    expect([back.dy, complaints]).toEqual([source, []]);
  });

  test('fits y after y has become smaller, and larger', () => {
    for (const h of [3, 12]) {
      const moved = withDesc(set(source), descOf({ ...openOf(problem).desc, h, k: 2 }));
      expect(dyEntry(moved.dy).fault(moved.dy, yShape(openOf(moved).desc))).toBeNull();
      const lengths = dyEntry(moved.dy)
        .arrays(moved.dy)
        .map(({ length }) => length);
      expect(lengths).toEqual(lengths.map(() => shapeSize(yShape(openOf(moved).desc))));
    }
  });

  test('lists its arrays, so that undo can count them', () => {
    const kept = Object.values(source).filter((member) => member instanceof Float32Array);
    expect(dyEntry(source).arrays(source)).toEqual(kept);
  });
});

test('every example is a valid source', () => {
  for (const { kind } of DY_SOURCES.filter((entry) => entry.kind !== 'values')) {
    expect(parseLink(`h=7&dy=${DY_WORDS[kind].example}`).complaints).toEqual([]);
  }
});
