import type { MarkedLine } from '../../../snippets/snippet';
import './code.css';

interface ListingProps {
  /** Accessible name. */
  readonly label: string;
  readonly lines: readonly MarkedLine[];
  readonly comment: '//' | '#';
}

/** Tokens: a comment to the end of the line, a name, or the text between. */
const TOKENS = /\/\/.*|#(?!include).*|[A-Za-z_]\w*|[^A-Za-z_/#]+|./g;
/** Tensors have the same colors as in the views; a derived one (padded, im2col) has the color of its source. */
const TENSOR = /^d?([xwyb])(_(col|padded|last|nchw|oihw|spread))?$/;

/** Code with the current line marked, and its values as a comment. */
export function Listing({ label, lines, comment }: ListingProps) {
  return (
    <section class="listing" aria-label={label}>
      <pre>
        <code>
          {lines.map(({ text, note, marked }, at) => (
            // Lines have no other key.
            <span
              key={at}
              class={marked ? 'listing__line listing__line--here' : 'listing__line'}
              aria-current={marked ? 'step' : undefined}
              style={{ '--indent': text.search(/\S|$/) }}
            >
              {tokens(text)}
              {note !== null && <span class="listing__note">{`  ${comment} ${note}`}</span>}
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
    </section>
  );
}

const tokens = (text: string) =>
  (text.match(TOKENS) ?? []).map((token, i) => {
    const key = `${i} ${token}`;
    if (token.startsWith('//') || token.startsWith('#')) {
      return (
        <span key={key} class="listing__comment">
          {token}
        </span>
      );
    }
    const tensor = TENSOR.exec(token)?.[1];
    return tensor ? (
      <span key={key} class="listing__tensor" style={{ '--accent': `var(--id-${tensor})` }}>
        {token}
      </span>
    ) : (
      token
    );
  });
