import { signal } from '@preact/signals';

/**
 * A component or a function that is no part of the first download. Asking for it starts its download; whoever asked while
 * rendering or in a computed signal is run again when it is there. A download that failed is tried again by the next to
 * ask.
 */
export function late<Loaded>(load: () => Promise<Loaded>): () => Loaded | null {
  const arrived = signal<Loaded | null>(null);
  let asked = false;
  return () => {
    if (!asked) {
      asked = true;
      load().then(
        (loaded) => {
          arrived.value = loaded;
        },
        () => {
          asked = false;
        },
      );
    }
    return arrived.value;
  };
}
