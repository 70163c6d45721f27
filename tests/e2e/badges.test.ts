import { describe, expect, it } from 'vitest';
import { breakKernel, type Fault } from './support/broken-kernel';
import { openPage, openStage } from './support/browser';
import { grid } from './support/grids';
import { openMode } from './support/modes';

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

/** The text of the badges of a view, by the name of the algorithm. */
async function badges({ tab, ways }: typeof DX | typeof DW, fault?: Fault): Promise<Record<string, string>> {
  const stage = await openStage({ patch: fault && breakKernel(fault) });
  try {
    const { page, troubles } = await openPage(stage);
    await grid(page, 'dx').waitFor();
    const view = await openMode(page, tab);
    const text: Record<string, string> = {};
    for (const [algorithm, label] of Object.entries(ways)) {
      await view.getByRole('radio', { name: label, exact: true }).check();
      // The view is drawn with its answers, the comparison among them. A difference of 0 has no badge.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await view.locator('.canvas[data-waits="false"]').waitFor();
      const badge = view.locator('.badge').filter({ visible: true });
      const found = (await badge.count()) > 0 ? ((await badge.textContent()) ?? '') : `${algorithm} max error: 0`;
      expect(found).toContain(algorithm);
      text[algorithm] = found.replace(/^.*: /, '');
    }
    expect(troubles).toEqual([]);
    return text;
  } finally {
    await stage.close();
  }
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
  const resultText = async (fault?: Fault): Promise<string> => {
    const stage = await openStage({ patch: fault && breakKernel(fault) });
    try {
      const { page, troubles } = await openPage(stage);
      await grid(page, 'dx').waitFor();
      const view = await openMode(page, 'Gradient check');
      const text = await view.locator('.verdict').first().textContent();
      expect(troubles).toEqual([]);
      return text ?? '';
    } finally {
      await stage.close();
    }
  };

  it('confirms the dw of the planned kernel', async () => {
    expect(await resultText()).toMatch(/^Confirmed\. All 9 cells of dw agree/);
  });

  it('checks the result of the planned kernel, not a separate gradient', async () => {
    const fault: Fault = { pass: 'backward_weights', algorithm: '', slot: 'dw', error: 100 };
    expect(await resultText(fault)).toMatch(/^Wrong: dw\[0,0\] differs/);
  });
});
