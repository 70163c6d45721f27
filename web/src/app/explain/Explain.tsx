import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Highlights } from '../../look/look-store';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { lazy } from '../../ui/lazy';
import { links } from '../links';
import type { ExplainCellProps } from './ExplainCell';

const HOVER_HINT = 'Hover a number to see how it was computed and what uses it. Click or tap to pin it, Esc to unpin.';

/** Preload on the first of these events. */
const USER_GESTURES = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

const explainCell = lazy(async () => (await import('./ExplainCell')).ExplainCell);

interface ExplainProps extends Omit<ExplainCellProps, 'highlights'> {
  readonly highlights: Highlights | null;
  /** Shown while there is no current cell. */
  readonly children: ComponentChildren;
}

/** The inspector. The code that explains cells is not in the first download; the first user activity loads it. */
export function Explain({ highlights, children, ...props }: ExplainProps) {
  useEffect(() => {
    const load = () => {
      explainCell();
      links();
    };
    for (const stirring of USER_GESTURES) addEventListener(stirring, load, { once: true, passive: true });
    return () => {
      for (const stirring of USER_GESTURES) removeEventListener(stirring, load);
    };
  }, []);
  const Content = highlights && explainCell();
  if (Content) return <Content {...props} highlights={highlights} />;
  return (
    <aside class="explain explain--empty" aria-label="Explain">
      <h2 class="visually-hidden">Explain</h2>
      {children}
      <p class="about__sentence">{HOVER_HINT}</p>
      <LoadingNotice what="The explanation of a cell" of={[explainCell, links]} />
    </aside>
  );
}
