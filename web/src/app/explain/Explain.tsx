import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Highlights } from '../../views/scene';
import type { ExplainCellProps } from './ExplainCell';

export const POINTING =
  'Point at any number to see the sum that made it and everything it feeds. A click or tap keeps it, Esc lets go.';

/** Signs that somebody is here and will soon point at something. */
const STIRRINGS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

interface ExplainProps extends Omit<ExplainCellProps, 'highlights'> {
  readonly highlights: Highlights | null;
}

/** The inspector. What it says of a cell is no part of the first download: it comes with the first stir of the mouse. */
export function Explain({ highlights, ...props }: ExplainProps) {
  const [Content, setContent] = useState<ComponentType<ExplainCellProps> | null>(null);
  useEffect(() => {
    if (Content) return;
    const load = () => void import('./ExplainCell').then(({ ExplainCell }) => setContent(() => ExplainCell));
    for (const stirring of STIRRINGS) addEventListener(stirring, load, { once: true, passive: true });
    return () => {
      for (const stirring of STIRRINGS) removeEventListener(stirring, load);
    };
  }, [Content]);
  if (Content && highlights) return <Content {...props} highlights={highlights} />;
  return (
    <aside class="explain explain--empty" aria-label="Explain">
      <h2 class="explain__title">Explain</h2>
      <p class="explain__note">{POINTING}</p>
    </aside>
  );
}
