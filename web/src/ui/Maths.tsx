import type { ComponentChildren } from 'preact';
import './maths.css';

/** Pieces of formulas as MathML, which every engine sets by itself, with the fonts that it has. */

interface PartsProps {
  readonly children: ComponentChildren;
}

/** A formula on a line of its own; `said` for who listens: engines differ in how they read one. */
export const Maths = ({ said, children }: PartsProps & { readonly said: string }) => (
  <div class="maths">
    <math display="block" aria-label={said}>
      <mrow>{children}</mrow>
    </math>
  </div>
);

/** "i+p,j" as one sets it: letters (two only in names of sizes), numbers, and signs between them. */
export const Plain = ({ text }: { readonly text: string }) => (
  <mrow>
    {(text.match(/kh|kw|[A-Za-z]|\d+|[^\sA-Za-z\d]/g) ?? []).map((piece, i) => {
      // A piece has no other name than its place.
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

/** A symbol with indices. Its depth is that of a letter with a tail, so that all indices hang equally low in fonts not made for formulas. */
export const Indexed = ({ symbol, at }: { readonly symbol: ComponentChildren; readonly at: string }) => (
  <mrow>
    <msub>
      <mpadded depth="0.25em">{symbol}</mpadded>
      <Plain text={at} />
    </msub>
    <mspace width="0.2em" />
  </mrow>
);
