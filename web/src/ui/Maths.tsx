import { useLayoutEffect, useRef } from 'preact/hooks';
import './maths.css';

/** Notation: "dw[p,q] = Σ{i,j} {∂L}/{∂y[i,j]} · x[i+p,j+q]". Braces: what a sum runs over, the parts of a fraction. */
const PIECES = /Σ\{([^}]*)\}|\{([^}]*)\}\/\{([^}]*)\}|([A-Za-z]+)\[([^\]]*)\]|([A-Za-z]+)(ᵀ?)|(\d+)|(\S)/g;
const WORDS: ReadonlySet<string> = new Set(['and']);

/** A formula on its own line. */
export function Maths({
  text,
  tensors,
}: {
  text: string;
  /** Names that get the attribute `data-tensor`. */
  tensors: readonly string[];
}) {
  const box = useRef<HTMLDivElement>(null);
  // A long formula scrolls, also with the keyboard.
  useLayoutEffect(() => {
    const { current } = box;
    if (current && current.scrollWidth > current.clientWidth) current.tabIndex = 0;
    else current?.removeAttribute('tabindex');
  });
  // The accessible name is text, because screen readers read MathML differently.
  return (
    <div ref={box} class="maths">
      <math display="block" aria-label={spokenFormula(text)}>
        {typeset(text, tensors)}
      </math>
    </div>
  );
}

/** "Σ{i,j} {∂L}/{∂y[i,j]} · w[p,q]" as "sum over i,j of dL by dy[i,j] times w[p,q]". */
export const spokenFormula = (text: string): string =>
  text
    .replaceAll(/Σ\{([^}]*)\}/g, 'sum over $1 of')
    .replaceAll(/\{(∂[^}]*)\}\/\{([^}]*)\}/g, '$1 by $2')
    .replaceAll(/\{([^}]*)\}\/\{([^}]*)\}/g, '($1)/$2')
    .replaceAll('∂', 'd')
    .replaceAll('ᵀ', ' transposed')
    .replaceAll('−', '-')
    .replaceAll(/ ?· ?/g, ' times ');

function typeset(text: string, tensors: readonly string[]) {
  const inner = (part: string) => typeset(part, tensors);
  const name = (letters: string) =>
    tensors.includes(letters) ? <mi data-tensor={letters}>{letters}</mi> : <mi>{letters}</mi>;
  const pieces = [...text.matchAll(PIECES)].map(
    ([piece, over, top, bottom, indexed, at, letters, transposed, digits], i) => {
      // The index is the only key of a piece.
      const key = `${i} ${piece}`;
      if (over !== undefined)
        return (
          <munder key={key}>
            <mo>∑</mo>
            {inner(over)}
          </munder>
        );
      if (top !== undefined) return <mfrac key={key}>{[inner(top), inner(bottom ?? '')]}</mfrac>;
      // The depth is that of a descender, so that in fonts without math support all indices are equally low.
      if (indexed !== undefined)
        return (
          <mrow key={key}>
            <msub>
              <mpadded depth="0.25em">{name(indexed)}</mpadded>
              {inner(at ?? '')}
            </msub>
            <mspace width="0.2em" />
          </mrow>
        );
      if (letters !== undefined && WORDS.has(letters)) return <mtext key={key}>&nbsp;{letters}&nbsp;</mtext>;
      if (transposed)
        return (
          <msup key={key}>
            {name(letters ?? '')}
            <mi mathvariant="normal">T</mi>
          </msup>
        );
      if (letters !== undefined) return <mrow key={key}>{name(letters)}</mrow>;
      if (digits !== undefined) return <mn key={key}>{digits}</mn>;
      return <mo key={key}>{piece}</mo>;
    },
  );
  return <mrow>{pieces}</mrow>;
}
