import type { ComponentChildren } from 'preact';
import './titled-grid.css';

export interface TitledGridProps {
  readonly title: string;
  readonly subtitle: string;
  /** In place of title and subtitle. */
  readonly heading?: ComponentChildren;
  readonly size: string;
  /** CSS color of the frame and title: identifies the tensor. */
  readonly accent: string;
  /** A gradient: gets a double frame. */
  readonly twin: boolean;
  readonly children: ComponentChildren;
}

export function TitledGrid({ title, subtitle, heading, size, accent, twin, children }: TitledGridProps) {
  return (
    <div class={twin ? 'figure figure--twin' : 'figure'} style={{ '--accent': accent }}>
      <div class="figure__head">
        {heading || (
          <>
            <span class="figure__title">{title}</span>
            <span class="figure__subtitle caption">{subtitle}</span>
          </>
        )}
        <span class="figure__size">{size}</span>
      </div>
      {children}
    </div>
  );
}
