import type { Examples } from './examples';
import './example-note.css';

/** The title and the sentence of the open example. */
export function ExampleNote({ examples }: { readonly examples: Examples }) {
  const example = examples.current.value;
  return (
    <p class="example-note" role="status">
      {example && (
        <>
          <strong>{example.title}.</strong> {example.sentence}
        </>
      )}
    </p>
  );
}
