export function Table({
  name,
  caption,
  quiet,
  headings: [first, ...headings],
  rows,
}: {
  /** A CSS class. */
  name: string;
  caption: string;
  /** The caption is only for screen readers. */
  quiet?: boolean;
  /** Of all columns; the first can be empty. None: only the rows have names. */
  headings: readonly string[];
  /** The name of each row, and its cells. Without rows there are no headings. */
  rows: readonly (readonly [string, ...string[]])[];
}) {
  return (
    <table class={name}>
      <caption class={quiet ? 'visually-hidden' : undefined}>{caption}</caption>
      {rows.length > 0 && first !== undefined && (
        <thead>
          <tr>
            {first ? <th scope="col">{first}</th> : <td />}
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(([row, ...cells], at) => (
          <tr key={at}>
            <th scope="row">{row}</th>
            {cells.map((cell, i) => (
              <td key={headings[i]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
