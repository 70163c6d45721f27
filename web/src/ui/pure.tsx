import type { Component, ComponentType, FunctionComponent } from 'preact';

type Same<P> = (before: P, now: P) => boolean;

const sameProps = <P extends object>(before: P, now: P): boolean => {
  const names = Object.keys(now) as (keyof P)[];
  return names.length === Object.keys(before).length && names.every((name) => Object.is(before[name], now[name]));
};

/**
 * A component that is not re-rendered while its props are equal. Not useMemo with an element: that element keeps its first
 * tree, which keeps older elements, and so on: a memory leak.
 */
export function pure<P extends object>(Inner: ComponentType<P>, same: Same<P> = sameProps): FunctionComponent<P> {
  return function Pure(this: Component<P>, props: P) {
    this.shouldComponentUpdate = (next) => !same(this.props as P, next as P);
    return <Inner {...props} />;
  } as FunctionComponent<P>;
}
