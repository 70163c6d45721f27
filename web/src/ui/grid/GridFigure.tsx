import type { ComponentChildren } from 'preact';
import './grid-figure.css';

interface GridFigureProps {
  /** The tensor's name, set large. */
  readonly title: string;
  /** What it is, in a few words, and its size. */
  readonly subtitle: string;
  readonly size: string;
  /** CSS colour of the frame and title: says which tensor, never which value. */
  readonly accent: string;
  /** A double frame tells the twin of a tensor from the tensor itself. */
  readonly twin: boolean;
  readonly children: ComponentChildren;
}

/** A titled frame around a grid. */
export function GridFigure({ title, subtitle, size, accent, twin, children }: GridFigureProps) {
  return (
    <div class={twin ? 'figure figure--twin' : 'figure'} style={{ '--accent': accent }}>
      <div class="figure__head">
        <span class="figure__title">{title}</span>
        <span class="figure__subtitle">{subtitle}</span>
        <span class="figure__size">{size}</span>
      </div>
      {children}
    </div>
  );
}
