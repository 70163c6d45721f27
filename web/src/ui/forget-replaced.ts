import { options } from 'preact';

/**
 * Works around a memory leak of Preact. A parent's props keep the element from which a child was first rendered, and that
 * element keeps its tree. A child that re-renders itself (a signal, a context) keeps both. Trees share their unchanged parts,
 * so all trees since the parent's last rendering stay reachable: 183 elements for each edit of a map. Here a replaced element
 * drops its tree as soon as the next one is in the document.
 */

// Preact's mangled field names (mangle.json), the same in every build; @preact/signals and preact/hooks use them too.
interface Rendered {
  /** The tree of the element. */
  __k?: unknown;
  /** The component of the element. */
  __c?: { __v?: Rendered } | null;
}
interface Hooks {
  diffed?: (element: Rendered) => void;
  /** After all changes of a root. */
  __c?: (element: Rendered, queue: unknown) => void;
}

export function forgetReplaced(hooks: Hooks = options as Hooks): void {
  const { diffed, __c: committed } = hooks;
  const last = new WeakMap<object, Rendered>();
  let replaced: Rendered[] = [];
  hooks.diffed = (element) => {
    diffed?.(element);
    const component = element.__c;
    if (!component) return;
    const before = last.get(component);
    if (before && before !== element) replaced.push(before);
    last.set(component, element);
  };
  hooks.__c = (element, queue) => {
    committed?.(element, queue);
    const done = replaced;
    replaced = [];
    // After an interrupted rendering the old element is still in use.
    for (const each of done) if (each.__c?.__v !== each) each.__k = null;
  };
}
