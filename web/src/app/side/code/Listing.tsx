import type { MarkedLine } from '../../../snippets/snippet';
import './code.css';

interface ListingProps {
  /** What it is, for who does not see it. */
  readonly label: string;
  readonly lines: readonly MarkedLine[];
  readonly comment: '//' | '#';
}

/** A comment to the end of the line, a name, or what stands between. */
const PIECES = /\/\/.*|#(?!include).*|[A-Za-z_]\w*|[^A-Za-z_/#]+|./g;
/** Tensors have the colours that they have on the stage; of a lowered or padded one, that of what it was made from. */
const TENSOR = /^d?([xwyb])(_(col|padded|last|nchw|oihw|spread))?$/;

/** Code with the line that the stage is at, and values beside the indices, as comments. */
export function Listing({ label, lines, comment }: ListingProps) {
  return (
    <section class="listing" aria-label={label}>
      <pre>
        <code>
          {lines.map(({ text, note, marked }, at) => (
            // A line has no other name than its place.
            <span
              key={at}
              class={marked ? 'listing__line listing__line--here' : 'listing__line'}
              aria-current={marked ? 'step' : undefined}
              style={{ '--indent': text.search(/\S|$/) }}
            >
              {pieces(text)}
              {note !== null && <span class="listing__note">{`  ${comment} ${note}`}</span>}
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
    </section>
  );
}

const pieces = (text: string) =>
  (text.match(PIECES) ?? []).map((piece, i) => {
    const key = `${i} ${piece}`;
    if (piece.startsWith('//') || piece.startsWith('#')) {
      return (
        <span key={key} class="listing__comment">
          {piece}
        </span>
      );
    }
    const tensor = TENSOR.exec(piece)?.[1];
    return tensor ? (
      <span key={key} class="listing__tensor" style={{ '--accent': `var(--id-${tensor})` }}>
        {piece}
      </span>
    ) : (
      piece
    );
  });
