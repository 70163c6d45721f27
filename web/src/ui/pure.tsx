import type { Component, ComponentType, FunctionComponent } from 'preact';

type Same<P> = (before: P, now: P) => boolean;

const sameProps = <P extends object>(before: P, now: P): boolean => {
  const names = Object.keys(now) as (keyof P)[];
  return names.length === Object.keys(before).length && names.every((name) => Object.is(before[name], now[name]));
};

/**
 * A component that is not rendered again while its props are the same. This, not an element kept by useMemo: a kept
 * element points at the tree that it first stood in, that tree at the elements kept in it, and so on to the first edit.
 */
export function pure<P extends object>(Inner: ComponentType<P>, same: Same<P> = sameProps): FunctionComponent<P> {
  return function Pure(this: Component<P>, props: P) {
    this.shouldComponentUpdate = (next) => !same(this.props as P, next as P);
    return <Inner {...props} />;
  } as FunctionComponent<P>;
}

/** For props of which only some parts are drawn. */
export const sameParts =
  <P,>(partsOf: (props: P) => readonly unknown[]): Same<P> =>
  (before, now) => {
    const parts = partsOf(now);
    return partsOf(before).every((part, i) => Object.is(part, parts[i]));
  };
