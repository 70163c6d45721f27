import { options } from 'preact';

/**
 * Preact keeps in a parent's props the element that a child was first rendered from, and in that element the tree of then.
 * A child that renders itself again (a signal, a context) leaves both behind, and since trees share the parts that did not
 * change, one leads to the next: every tree since the parent was rendered stayed, 183 elements an edit of a map. Here an
 * element that was replaced lets go of its tree as soon as the next one is in the document.
 */

// The names that Preact gives its fields in every build (mangle.json); @preact/signals and preact/hooks go by them too.
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
    // What an error interrupted is still in force.
    for (const each of done) if (each.__c?.__v !== each) each.__k = null;
  };
}
