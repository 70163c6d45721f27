import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Highlights } from '../../look/look-store';
import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import { links } from '../links';
import type { ExplainCellProps } from './ExplainCell';

const POINTING =
  'Point at any number to see the sum that made it and everything it feeds. A click or tap keeps it, Esc lets go.';

/** Signs that somebody is here and will soon point at something. */
const STIRRINGS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

const explainCell = late(async () => (await import('./ExplainCell')).ExplainCell);

interface ExplainProps extends Omit<ExplainCellProps, 'highlights'> {
  readonly highlights: Highlights | null;
  /** What stands here before there is a cell. */
  readonly children: ComponentChildren;
}

/**
 * The inspector. What it says of a cell, and what the cell is joined to, are no part of the first download: they come with
 * the first stir of the mouse.
 */
export function Explain({ highlights, children, ...props }: ExplainProps) {
  useEffect(() => {
    const load = () => {
      explainCell();
      links();
    };
    for (const stirring of STIRRINGS) addEventListener(stirring, load, { once: true, passive: true });
    return () => {
      for (const stirring of STIRRINGS) removeEventListener(stirring, load);
    };
  }, []);
  const Content = highlights && explainCell();
  if (Content) return <Content {...props} highlights={highlights} />;
  return (
    <aside class="explain explain--empty" aria-label="Explain">
      <h2 class="visually-hidden">Explain</h2>
      {children}
      <p class="about__sentence">{POINTING}</p>
      <LateNotice what="The explanation of a cell" of={[explainCell, links]} />
    </aside>
  );
}
