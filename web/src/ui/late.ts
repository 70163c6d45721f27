import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';

/**
 * A component that is no part of the first download. Asking for it starts its download; whoever asked while rendering
 * renders again when it is there. A download that failed is tried again by the next to ask.
 */
export function late<Props>(load: () => Promise<ComponentType<Props>>): () => ComponentType<Props> | null {
  const loaded = signal<ComponentType<Props> | null>(null);
  let asked = false;
  return () => {
    if (!asked) {
      asked = true;
      load().then(
        (component) => {
          loaded.value = component;
        },
        () => {
          asked = false;
        },
      );
    }
    return loaded.value;
  };
}
