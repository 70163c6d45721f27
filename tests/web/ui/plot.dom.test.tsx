import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Chart } from '../../../web/src/ui/plot/Chart';
import { logAxis } from '../../../web/src/ui/plot/scales';
import { formatScientific, powerOfTen } from '../../../web/src/ui/quantities';

afterEach(() => {
  render(null, document.body);
});

describe('formatScientific', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [12.5, '12.5'],
    [-0.00123, '\u22120.00123'],
    [0.0005, '5·10⁻⁴'],
    [1e-7, '10⁻⁷'],
    [-3.14159e12, '\u22123.14·10¹²'],
    [123456, '1.23·10⁵'],
    [Number.NaN, 'NaN'],
    [-Infinity, '\u2212∞'],
  ])('writes %f as %s', (value, text) => {
    expect(formatScientific(value, 3)).toBe(text);
  });

  it('writes 10⁰ as 1 and 10¹ as 10', () => {
    expect([-2, -1, 0, 1, 2].map(powerOfTen)).toEqual(['10⁻²', '10⁻¹', '1', '10', '10²']);
  });
});

describe('a logarithmic axis', () => {
  const labels = (values: readonly number[], most: number) => logAxis(values, most).ticks.map(({ text }) => text);

  it('spans whole decades around the positive values and ignores others', () => {
    expect(labels([0.003, 0, 20, Number.NaN, Infinity], 9)).toEqual(['10⁻³', '10⁻²', '10⁻¹', '1', '10', '10²']);
    expect(labels([1e-3], 9)).toEqual(['10⁻³', '10⁻²']);
    expect(labels([0], 9)).toEqual(['10⁻¹', '1']);
  });

  it('positions decades linearly', () => {
    const { share } = logAxis([1e-4, 1], 9);
    expect(share(1e-4)).toBeCloseTo(0);
    expect(share(1e-1)).toBeCloseTo(0.75);
  });

  it('limits the number of labels, in even steps', () => {
    expect(labels([1e-3, 1], 7)).toEqual(['10⁻³', '10⁻²', '10⁻¹', '1']);
    expect(labels([1e-16, 1], 6)).toEqual(['10⁻¹⁶', '10⁻¹²', '10⁻⁸', '10⁻⁴', '1']);
  });
});

describe('a plot', () => {
  it('has its values as a table', () => {
    const series = [
      {
        name: 'red',
        points: [
          { x: 0.1, y: 2 },
          { x: 0.01, y: 0 },
        ],
      },
      { name: 'blue', points: [{ x: 0.1, y: 1e-9 }] },
    ];
    act(() =>
      render(
        <Chart label="error" xLabel="step" yLabel="error" series={series} chosen={0.1} onChoose={vi.fn()} />,
        document.body,
      ),
    );
    const rows = [...document.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows).toEqual([
      ['step', 'red', 'blue'],
      ['0.01', '0', ''],
      ['0.1', '2', '10⁻⁹'],
    ]);
    expect(document.querySelector('.plot__legend')?.textContent).toContain('red2');
  });
});
