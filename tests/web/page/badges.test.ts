import { describe, expect, it } from 'vitest';
import type { Fault } from '../support/page/broken-kernel';
import { part, texts } from '../support/page/find';
import { NOTEBOOK_4, open, usePage } from '../support/page/open';
import { choose, openMode } from '../support/page/stage';
import { breakKernel } from '../support/page/worker';

usePage();

const DX = {
  tab: 'dx',
  ways: { scatter: 'scatter', gather: 'gather', full_conv: 'full convolution', phase_split: 'phase split' },
};
const DW = {
  tab: 'dw & db',
  ways: {
    im2col_gemm: 'matrix product',
    dilated_dy: 'x convolved with dy',
    grouped: 'grouped',
    sum: 'db',
  },
};

/** The text of the badges of a view, by the name of the algorithm. A difference of 0 has no badge. */
async function badges(
  { tab, ways }: typeof DX | typeof DW,
  fault: Fault | null = null,
): Promise<Record<string, string>> {
  breakKernel(fault);
  await open(NOTEBOOK_4);
  const view = await openMode(tab);
  const found: Record<string, string> = {};
  for (const [algorithm, label] of Object.entries(ways)) {
    await choose(label, view);
    expect(part('.canvas', view).dataset['waits']).toBe('false');
    const text = texts('.badge', view).join('') || `${algorithm} max error: 0`;
    expect(text).toContain(algorithm);
    found[algorithm] = text.replace(/^.*: /, '');
  }
  return found;
}

describe('the badges', () => {
  it('of dx are absent for integers, where nothing differs', async () => {
    expect(await badges(DX)).toEqual({ scatter: '0', gather: '0', full_conv: '0', phase_split: '0' });
  });

  it('of dw and db are absent for integers', async () => {
    expect(await badges(DW)).toEqual({ im2col_gemm: '0', dilated_dy: '0', grouped: '0', sum: '0' });
  });

  it('show a wrong dx for the wrong algorithm only', async () => {
    const fault: Fault = { pass: 'backward_data', algorithm: 'gather', slot: 'dx', error: 0.25 };
    expect(await badges(DX, fault)).toEqual({ scatter: '0', gather: '0.25', full_conv: '0', phase_split: '0' });
  });

  it('show a wrong dw', async () => {
    const fault: Fault = { pass: 'backward_weights', algorithm: 'grouped', slot: 'dw', error: -3 };
    expect(await badges(DW, fault)).toEqual({ im2col_gemm: '0', dilated_dy: '0', grouped: '3', sum: '0' });
  });

  it('show a wrong db', async () => {
    const fault: Fault = { pass: 'backward_bias', algorithm: 'sum', slot: 'db', error: 1 };
    expect(await badges(DW, fault)).toEqual({ im2col_gemm: '0', dilated_dy: '0', grouped: '0', sum: '1' });
  });
});

describe('the gradient check', () => {
  const verdict = async (fault: Fault | null = null): Promise<string> => {
    breakKernel(fault);
    await open(NOTEBOOK_4);
    return part('.verdict', await openMode('Gradient check')).textContent ?? '';
  };

  it('confirms the dw of the planned kernel', async () => {
    expect(await verdict()).toMatch(/^Confirmed\. All 9 cells of dw agree/);
  });

  it('checks the result of the planned kernel, not a separate gradient', async () => {
    const fault: Fault = { pass: 'backward_weights', algorithm: '', slot: 'dw', error: 100 };
    expect(await verdict(fault)).toMatch(/^Wrong: dw\[0,0\] differs/);
  });
});
