import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisSizes, solveAxis } from '../../../web/src/geometry/sizes';
import { AXIS_FIELDS, axisGroups, inputPatch, solutionPatch } from '../../../web/src/views/geometry/AxisCard';
import { arbitraryDesc, descOf } from '../geometry/arbitrary-geometry';

describe('axis groups', () => {
  it('combine both axes while their sizes are equal', () => {
    expect(axisGroups(descOf({})).map(({ id }) => id)).toEqual(['both']);
    expect(axisGroups(descOf({ w: 9 })).map(({ id }) => id)).toEqual(['row', 'col']);
    const padding = { top: 2, bottom: 0, left: 1, right: 1 };
    expect(axisGroups(descOf({ padding_mode: 'explicit_sides', padding })).map(({ id }) => id)).toEqual(['row', 'col']);
  });

  it('change the input of every axis of the group', () => {
    const [both] = axisGroups(descOf({}));
    expect(both && inputPatch(both, 8)).toEqual({ h: 8, w: 8 });
  });

  it('apply a solution to every axis of the group', () => {
    fc.assert(
      fc.property(arbitraryDesc, fc.constantFrom(...AXIS_FIELDS), fc.nat(6), (desc, field, more) => {
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
