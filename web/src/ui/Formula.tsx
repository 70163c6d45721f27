import './formula.css';

/** A sum sign with its indices, names, and everything else. */
const PIECES = /Σ(?:\{[^}]*\})?|[A-Za-z_]+|[^A-Za-z_Σ]+/g;
/** Upright names: words and functions. */
const WORDS: ReadonlySet<string> = new Set(['tanh', 'log', 'cosh', 'target', 'floor', 'max']);

/** "y[1,2] = Σ{p,q} x[1+p,2+q] · w[p,q]" typeset. Lines break only at spaces. */
export const Formula = ({ text }: { text: string }) => <p class="formula">{parts(text)}</p>;

const parts = (text: string) =>
  text.split(' ').map((part, i, all) => (
    // The index is the only key of a part.
    <span key={`${i} ${part}`}>
      <span class="formula__piece">{(part.match(PIECES) ?? []).map(set)}</span>
      {i < all.length - 1 && ' '}
    </span>
  ));

function set(piece: string, i: number) {
  const key = `${i} ${piece}`;
  if (piece.startsWith('Σ')) {
    return (
      <span key={key} class="formula__sum">
        <span class="formula__sigma">Σ</span>
        <sub>
          <i>{piece.slice(2, -1)}</i>
        </sub>
      </span>
    );
  }
  return /^[A-Za-z_]/.test(piece) && !WORDS.has(piece) ? <i key={key}>{piece}</i> : <span key={key}>{piece}</span>;
}

/** Text with two marks: "*word*" is a defined term, "`y[0,1] = 3`" a formula. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split(/(\*[^*]+\*|`[^`]+`)/).map((part, i) => {
        // The index is the only key of a part.
        const key = `${i} ${part}`;
        if (part.startsWith('*')) return <dfn key={key}>{part.slice(1, -1)}</dfn>;
        if (!part.startsWith('`')) return part;
        return (
          <span key={key} class="formula-inline">
            {parts(part.slice(1, -1))}
          </span>
        );
      })}
    </>
  );
}

/** The text without marks, for screen readers. */
export const withoutMarkup = (text: string): string => text.replaceAll(/[*`]/g, '');
