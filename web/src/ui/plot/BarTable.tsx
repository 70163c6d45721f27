import './plot.css';
import './bar-table.css';

export interface Bar {
  readonly key: string;
  readonly name: string;
  /** Which of a few looks the bar has. */
  readonly kind: string;
  /** Null where there is nothing to draw: `words` say why. */
  readonly value: { readonly low: number; readonly middle: number; readonly high: number } | null;
  /** What somebody else's came to, drawn below it. */
  readonly other: number | null;
  /** Under the other headings. */
  readonly cells: readonly string[];
  readonly words?: string;
}

interface BarTableProps {
  readonly caption: string;
  readonly unit: string;
  /** Of the cells behind the bar. */
  readonly headings: readonly string[];
  readonly bars: readonly Bar[];
  /** Lines across all bars. */
  readonly marks: readonly { readonly name: string; readonly at: number }[];
}

/** A table whose rows are bars with their spread, from 0: who cannot see the bars reads the table. */
export function BarTable({ caption, unit, headings, bars, marks }: BarTableProps) {
  const drawn = [...bars.flatMap(({ value, other }) => [value?.high ?? 0, other ?? 0]), ...marks.map(({ at }) => at)];
  const most = 1.04 * Math.max(...drawn, Number.MIN_VALUE);
  const percent = (value: number) => `${(100 * value) / most}%`;
  return (
    <table class="bars">
      {caption !== '' && <caption>{caption}</caption>}
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">Who</span>
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
