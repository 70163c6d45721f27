import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AxisField,
  type AxisSizes,
  axisSizes,
  boundsOf,
  inputsWithSameOutput,
  sizeFormula,
  solveAxis,
} from '../../../web/src/geometry/sizes';
import { coverageVerdicts, type VerdictKind } from '../../../web/src/geometry/verdicts';
import type { ConvDesc, SizeName } from '../../../web/src/protocol/problem';
import { checkDesc } from '../../../web/src/protocol/shapes';
import { PARTS, SIZE_NAMES, SIZE_PARTS, sizesOfPart } from '../../../web/src/protocol/size-table';
import { arbitraryDesc, descOf, geometryOf } from './arbitrary-geometry';

const AXIS_FIELDS: readonly AxisField[] = ['in', 'kernel', 'stride', 'dilation', 'pad', 'out'];

describe('the size formula', () => {
  test('shows its numbers', () => {
    expect(sizeFormula(descOf({}), 'row')).toEqual({
      names: 'floor((h + top + bottom − kh) / stride_h) + 1',
      numbers: 'floor((7 + 1 + 1 − 3) / 2) + 1 = 4',
      output: 4,
    });
    expect(sizeFormula(descOf({ dilation_w: 2 }), 'col').numbers).toBe(
      'floor((7 + 1 + 1 − (2 · (3 − 1) + 1)) / 2) + 1 = 3',
    );
  });

  test('solves for every size: all answers are consistent and include the original value', () => {
    fc.assert(
      fc.property(arbitraryDesc, fc.constantFrom(...AXIS_FIELDS), (desc, field) => {
        const sizes = axisSizes(desc, 'row');
        const values = solveAxis(sizes, field, 0, 24);
        expect(values).toContain(sizes[field]);
        for (let value = 0; value <= 24; value += 1) {
          const changed: AxisSizes = { ...sizes, [field]: value };
          const { in: input, kernel, stride, dilation, pad, out } = changed;
          const room = input + pad - (dilation * (kernel - 1) + 1);
          const valid = value >= (field === 'in' || field === 'pad' ? 0 : 1) && room >= 0;
          expect(values.includes(value)).toBe(valid && Math.floor(room / stride) + 1 === out);
        }
      }),
    );
  });

  test('lists the inputs with the same output, as many as the stride', () => {
    expect(inputsWithSameOutput(descOf({ padding_mode: 'valid' }), 'row')).toEqual([7, 8]);
    expect(inputsWithSameOutput(descOf({ padding_mode: 'same', stride_h: 3 }), 'row')).toEqual([7, 8, 9]);
    fc.assert(
      fc.property(arbitraryDesc, (desc) => {
        const inputs = inputsWithSameOutput(desc, 'row');
        expect(inputs).toContain(desc.h);
        for (const h of inputs) expect(geometryOf({ ...desc, h }).oh).toBe(geometryOf(desc).oh);
      }),
    );
  });
});

const FIELDS = SIZE_NAMES.filter((name) => name !== 'n');

const withField = (desc: ConvDesc, field: SizeName, value: number): ConvDesc =>
  field.startsWith('padding.')
    ? { ...desc, padding: { ...desc.padding, [field.slice('padding.'.length)]: value } }
    : { ...desc, [field]: value };

describe('bounds', () => {
  test('are exactly the limits of valid descriptors', () => {
    fc.assert(
      fc.property(
        arbitraryDesc.filter((desc) => desc.padding_mode === 'explicit_sides'),
        fc.constantFrom(...FIELDS),
        fc.integer({ min: 0, max: 30 }),
        (desc, field, value) => {
          const { min, max, values } = boundsOf(desc, field);
          const allowed = value >= min && value <= max && (values?.includes(value) ?? true);
          const size = field === 'h' || field === 'w';
          // The library accepts empty inputs; the page does not.
          const valid = checkDesc(withField(desc, field, value)) === null && !(size && value === 0);
          expect(allowed).toBe(valid);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('have reasons', () => {
    const desc = descOf({ padding_mode: 'valid' });
    expect(boundsOf(desc, 'kh')).toMatchObject({ max: 7, maxReason: 'kernel ≤ input (7)' });
    expect(boundsOf(descOf({ dilation_h: 2 }), 'kh')).toMatchObject({
      max: 5,
      maxReason: 'dilated kernel ≤ input + padding (7 + 2)',
    });
    expect(boundsOf(desc, 'h')).toMatchObject({ min: 3, minReason: 'the kernel (3) must fit into input + padding' });
    expect(boundsOf(descOf({ c: 4, k: 6 }), 'groups')).toMatchObject({ values: [1, 2] });
  });
});

describe('verdicts', () => {
  const kinds = (desc: ConvDesc): VerdictKind[] => coverageVerdicts(geometryOf(desc)).map(({ kind }) => kind);

  test('report uneven overlap, a lattice, and starved corners', () => {
    expect(kinds(descOf({ stride_w: 1, stride_h: 2 }))).toEqual(['checkerboard']);
    expect(kinds(descOf({ h: 9, dilation_h: 2, stride_w: 1 }))).toContain('gridding');
    expect(kinds(descOf({ stride_h: 1, stride_w: 1, padding_mode: 'valid' }))).toEqual(['starved_corners']);
    expect(kinds(descOf({ stride_h: 1, stride_w: 1 }))).toEqual([]);
    expect(kinds(descOf({ h: 8, w: 8, kh: 4, kw: 4 }))).toEqual([]);
  });

  test('suggest `same` for the corners without padding', () => {
    const fixes = coverageVerdicts(geometryOf(descOf({ stride_h: 1, stride_w: 1, padding_mode: 'valid' })));
    expect(fixes.map(({ fix }) => fix.patch)).toEqual([{ padding_mode: 'same' }]);
  });

  test('contain the numbers', () => {
    const [verdict] = coverageVerdicts(geometryOf(descOf({ stride_w: 1 })));
    expect(verdict?.message).toBe(
      'kernel 3 is not a multiple of stride 2: rows of x are read 2, then 1 times in turn, which dx shows as a pattern',
    );
    expect(verdict?.fix).toEqual({ label: 'kh 3 → 4', patch: { kh: 4 } });
  });

  test('of one axis disappear after their fix, which is valid', () => {
    fc.assert(
      fc.property(arbitraryDesc, (desc) => {
        for (const { kind, axis, fix } of coverageVerdicts(geometryOf(desc))) {
          const mended = { ...desc, ...fix.patch };
          expect(checkDesc(mended)).toBeNull();
          const left = coverageVerdicts(geometryOf(mended));
          expect(left.filter((verdict) => verdict.kind === kind && verdict.axis === axis)).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('every size is in one part of the table, and every part has its own place in a link', () => {
  const parts = SIZE_PARTS.flatMap((part) => sizesOfPart(part).map(({ name }) => name));
  expect([...parts].sort()).toEqual([...SIZE_NAMES].sort());
  expect(new Set(SIZE_PARTS.map((part) => PARTS[part].link.order)).size).toBe(SIZE_PARTS.length);
});
