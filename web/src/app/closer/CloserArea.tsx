import type { ComponentType, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CloserTabsProps } from './CloserTabs';

/** Distance from the window's edge at which the views below the board are fetched, in CSS pixels. */
const AHEAD = 300;

/**
 * The place below the board. What it shows is no part of the first download: it comes when one scrolls near it. Out of
 * sight it is left as it is, so that the worker and the page are free for the board.
 */
export function CloserArea(props: Omit<CloserTabsProps, 'near'>) {
  const element = useRef<HTMLElement>(null);
  const held = useRef<VNode | null>(null);
  const [near, setNear] = useState(false);
  const [seen, setSeen] = useState(false);
  const [Content, setContent] = useState<ComponentType<CloserTabsProps> | null>(null);
  useEffect(() => {
    if (!element.current) return;
    const watch = (tell: (inside: boolean) => void, margin: number) => {
      const observer = new IntersectionObserver((entries) => tell(entries.at(-1)?.isIntersecting === true), {
        rootMargin: `${margin}px`,
      });
      if (element.current) observer.observe(element.current);
      return observer;
    };
    const observers = [watch(setNear, AHEAD), watch(setSeen, 0)];
    return () => {
      for (const observer of observers) observer.disconnect();
    };
  }, []);
  useEffect(() => {
    if (near && !Content) void import('./CloserTabs').then(({ CloserTabs }) => setContent(() => CloserTabs));
  }, [near, Content]);
  if (Content && (seen || !held.current)) held.current = <Content {...props} near={near} />;
  return (
    <section ref={element} class="closer" aria-labelledby="closer-title">
      <h2 class="view__title" id="closer-title">
        Look closer
      </h2>
      {held.current}
    </section>
  );
}
