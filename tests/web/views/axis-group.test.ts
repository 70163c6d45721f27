import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisSizes, solveAxis } from '../../../web/src/geometry/sizes';
import { axisGroups, FIELDS, inputPatch, solutionPatch } from '../../../web/src/views/geometry/axis-group';
import { arbitraryDesc, descOf } from '../geometry/arbitrary-geometry';

describe('axis groups', () => {
  it('looks at both axes together while they have the same numbers', () => {
    expect(axisGroups(descOf({})).map(({ id }) => id)).toEqual(['both']);
    expect(axisGroups(descOf({ w: 9 })).map(({ id }) => id)).toEqual(['row', 'col']);
    const padding = { top: 2, bottom: 0, left: 1, right: 1 };
    expect(axisGroups(descOf({ padding_mode: 'explicit_sides', padding })).map(({ id }) => id)).toEqual(['row', 'col']);
  });

  it('changes the input of every axis of the group', () => {
    const [both] = axisGroups(descOf({}));
    expect(both && inputPatch(both, 8)).toEqual({ h: 8, w: 8 });
  });

  it('makes a patch after which a solution holds, on every axis of the group', () => {
    fc.assert(
      fc.property(arbitraryDesc, fc.constantFrom(...FIELDS), fc.nat(6), (desc, field, more) => {
        for (const group of axisGroups(desc)) {
          const out = axisSizes(desc, group.axis).out + (field === 'out' ? 0 : more);
          for (const value of solveAxis({ ...axisSizes(desc, group.axis), out }, field, 1, 20)) {
            const after = { ...desc, ...solutionPatch(desc, group, field, value) };
            for (const axis of group.axes) expect(axisSizes(after, axis).out).toBe(out);
          }
        }
      }),
    );
  });
});
