import type { ComponentChildren } from 'preact';
import type { Highlights } from '../../look/look-store';
import { ExplainCell, type ExplainCellProps } from './ExplainCell';

const HOVER_HINT = 'Hover a number to see how it was computed and what uses it. Click or tap to pin it, Esc to unpin.';

interface ExplainProps extends Omit<ExplainCellProps, 'highlights'> {
  readonly highlights: Highlights | null;
  /** Shown while there is no current cell. */
  readonly children: ComponentChildren;
}

/** The inspector. */
export function Explain({ highlights, children, ...props }: ExplainProps) {
  if (highlights) return <ExplainCell {...props} highlights={highlights} />;
  return (
    <aside class="explain explain--empty" aria-label="Explain">
      <h2 class="visually-hidden">Explain</h2>
      {children}
      <p class="about__sentence">{HOVER_HINT}</p>
    </aside>
  );
}
