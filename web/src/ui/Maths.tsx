import type { ComponentChildren } from 'preact';
import './maths.css';

/** Parts of formulas as MathML, which browsers typeset with their own fonts. */

interface PartsProps {
  readonly children: ComponentChildren;
}

/** A formula on its own line; `said` is its accessible name: screen readers read MathML differently. */
export const Maths = ({ said, children }: PartsProps & { readonly said: string }) => (
  <div class="maths">
    <math display="block" aria-label={said}>
      <mrow>{children}</mrow>
    </math>
  </div>
);

/** Typesets "i+p,j": letters (two only in names of sizes), numbers and operators. */
export const Plain = ({ text }: { readonly text: string }) => (
  <mrow>
    {(text.match(/kh|kw|[A-Za-z]|\d+|[^\sA-Za-z\d]/g) ?? []).map((piece, i) => {
      // The index is the only key of a piece.
      const key = `${i} ${piece}`;
      if (/^\d/.test(piece)) return <mn key={key}>{piece}</mn>;
      return /^[A-Za-z]/.test(piece) ? <mi key={key}>{piece}</mi> : <mo key={key}>{piece}</mo>;
    })}
  </mrow>
);

export const Sum = ({ over }: { readonly over: string }) => (
  <munder>
    <mo>∑</mo>
    <Plain text={over} />
  </munder>
);

export const Fraction = ({ top, bottom }: { readonly top: ComponentChildren; readonly bottom: ComponentChildren }) => (
  <mfrac>
    <mrow>{top}</mrow>
    <mrow>{bottom}</mrow>
  </mfrac>
);

export const Words = ({ text }: { readonly text: string }) => <mtext>&nbsp;{text}&nbsp;</mtext>;

/** A symbol with indices. Its depth is that of a descender, so that in fonts without math support all indices are equally low. */
export const Indexed = ({ symbol, at }: { readonly symbol: ComponentChildren; readonly at: string }) => (
  <mrow>
    <msub>
      <mpadded depth="0.25em">{symbol}</mpadded>
      <Plain text={at} />
    </msub>
    <mspace width="0.2em" />
  </mrow>
);
