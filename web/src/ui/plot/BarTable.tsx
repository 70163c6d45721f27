import './plot.css';
import './bar-table.css';

export interface Bar {
  readonly key: string;
  readonly name: string;
  readonly kind: string;
  /** Null: no bar; `words` gives the reason. */
  readonly value: { readonly low: number; readonly middle: number; readonly high: number } | null;
  /** The value of another run, drawn below the bar. */
  readonly other: number | null;
  /** The cells under `headings`. */
  readonly cells: readonly string[];
  readonly words?: string;
}

interface BarTableProps {
  readonly caption: string;
  readonly unit: string;
  readonly headings: readonly string[];
  readonly bars: readonly Bar[];
  /** Lines across all bars, within their range. */
  readonly marks: readonly { readonly name: string; readonly at: number }[];
}

/** The right end of the axis: the longest bar, so that bars far below a limit still differ visibly. */
export const reachOf = (bars: readonly Pick<Bar, 'value' | 'other'>[]): number =>
  1.04 * Math.max(...bars.flatMap(({ value, other }) => [value?.high ?? 0, other ?? 0]), Number.MIN_VALUE);

/** A table with a bar and its spread per row, from 0; screen readers read the numbers. */
export function BarTable({ caption, unit, headings, bars, marks }: BarTableProps) {
  const most = reachOf(bars);
  const percent = (value: number) => `${(100 * value) / most}%`;
  return (
    <table class="bars">
      {caption !== '' && <caption>{caption}</caption>}
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">Name</span>
          </th>
          <th scope="col" class="bars__unit">
            {unit}
          </th>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, name, kind, value, other, cells, words }) => (
          <tr key={key} class={value ? '' : 'bars__out'}>
            <th scope="row">{name}</th>
            {words !== undefined ? (
              <td class="bars__words" colSpan={1 + headings.length}>
                {words}
              </td>
            ) : (
              <>
                <td class="bars__cell" aria-hidden="true">
                  <div class="bars__track">
                    {marks.map(({ name: mark, at }) => (
                      <div key={mark} class="bars__mark" title={mark} style={{ left: percent(at) }} />
                    ))}
                    {value && (
                      <>
                        <div class={`bars__bar bars__bar--${kind}`} style={{ width: percent(value.middle) }} />
                        <div
                          class="bars__spread"
                          style={{ left: percent(value.low), width: percent(value.high - value.low) }}
                        />
                      </>
                    )}
                    {other !== null && <div class="bars__other" style={{ width: percent(other) }} />}
                  </div>
                </td>
                {cells.map((cell, i) => (
                  <td key={headings[i]} data-heading={headings[i]}>
                    {cell}
                  </td>
                ))}
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
