import { InlineFormula } from './Formula';

/** "a *word* that is explained, and `y[0,1] = 3` as a formula": plain text with these two marks. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/(\*[^*]+\*|`[^`]+`)/).map((part, i) => {
        // A part has no other name than its place.
        const key = `${i} ${part}`;
        if (part.startsWith('*')) return <dfn key={key}>{part.slice(1, -1)}</dfn>;
        if (part.startsWith('`')) return <InlineFormula key={key} text={part.slice(1, -1)} />;
        return part;
      })}
    </>
  );
}

/** The same for who listens: without the marks. */
export const plainText = (text: string): string => text.replaceAll(/[*`]/g, '');
