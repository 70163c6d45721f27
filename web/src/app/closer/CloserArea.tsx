import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CloserTabsProps } from './CloserTabs';

/** Distance from the window's edge at which the views below the board are fetched, in CSS pixels. */
const AHEAD = 300;

/** The place below the board. What it shows is no part of the first download: it comes when one scrolls near it. */
export function CloserArea(props: Omit<CloserTabsProps, 'near'>) {
  const element = useRef<HTMLElement>(null);
  const [near, setNear] = useState(false);
  const [Content, setContent] = useState<ComponentType<CloserTabsProps> | null>(null);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) => setNear(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: `${AHEAD}px`,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (near && !Content) void import('./CloserTabs').then(({ CloserTabs }) => setContent(() => CloserTabs));
  }, [near, Content]);
  return (
    <section ref={element} class="closer" aria-labelledby="closer-title">
      <h2 class="view__title" id="closer-title">
        Look closer
      </h2>
      {Content && <Content {...props} near={near} />}
    </section>
  );
}
