import { InlineFormula } from './Formula';

/** Text with two marks: "*word*" is a defined term, "`y[0,1] = 3`" a formula. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/(\*[^*]+\*|`[^`]+`)/).map((part, i) => {
        // The index is the only key of a part.
        const key = `${i} ${part}`;
        if (part.startsWith('*')) return <dfn key={key}>{part.slice(1, -1)}</dfn>;
        if (part.startsWith('`')) return <InlineFormula key={key} text={part.slice(1, -1)} />;
        return part;
      })}
    </>
  );
}

/** The text without marks, for screen readers. */
export const plainText = (text: string): string => text.replaceAll(/[*`]/g, '');
