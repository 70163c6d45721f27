import { computed, signal } from '@preact/signals';
import type { Example } from '../../lessons/examples';
import type { Address } from '../../link/address';
import type { Problem } from '../../state/problem';
import type { Store } from '../../state/store';
import './example-note.css';

export type Examples = ReturnType<typeof createExamples>;

export function createExamples(store: Store, address: Address) {
  const opened = signal<{ readonly example: Example; readonly problem: Problem } | null>(null);
  return {
    /** The open example; null once the problem changes. */
    current: computed(() => (opened.value?.problem === store.problem.value ? opened.value.example : null)),
    async open(example: Example) {
      if (await address.open(example.link, 'example')) opened.value = { example, problem: store.problem.peek() };
    },
  };
}

/** The title and the sentence of the open example. */
export function ExampleNote({ examples }: { examples: Examples }) {
  const example = examples.current.value;
  return (
    <p class="example-note note" role="status">
      {example && (
        <>
          <strong>{example.title}.</strong> {example.sentence}
        </>
      )}
    </p>
  );
}
