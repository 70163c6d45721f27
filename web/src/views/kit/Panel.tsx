import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { GridName } from '../../protocol/problem';
import type { ColorScale } from '../../ui/color-scale';
import { TitledGrid, type TitledGridProps } from '../../ui/grid/TitledGrid';
import { kitParts } from './second';
import './panel.css';

export interface PanelProps extends Omit<TitledGridProps, 'accent' | 'twin'> {
  readonly tensor: GridName;
  /** Several slices: the name of the group of a grid and choosers. */
  readonly group?: string | null;
  readonly accent?: string | undefined;
  readonly scale: ColorScale;
  readonly marker?: ReadonlySignal<number | null> | undefined;
  readonly legend?: boolean;
  readonly note?: string | undefined;
  /** Left indent of the grid in CSS pixels, so that its columns are below those of its twin. */
  readonly indent?: number;
  /** CSS class of the frame; null: the children draw their own frames. */
  readonly frameClass?: string | null;
  readonly below?: ComponentChildren;
}

/** A grid with its name, a frame in its tensor's color, and a legend. */
export function Panel(props: PanelProps) {
  const {
    tensor,
    group,
    title,
    subtitle,
    size,
    accent,
    scale,
    marker,
    note,
    indent = 0,
    frameClass = '',
    legend = true,
  } = props;
  const ColorLegend = legend && kitParts.value?.ColorLegend;
  return (
    <div class={`panel panel--${tensor}`} {...(group ? { role: 'group', 'aria-label': group } : {})}>
      <TitledGrid
        title={title}
        subtitle={subtitle}
        heading={props.heading}
        size={size}
        accent={accent ?? accentOf(tensor)}
        twin={tensor.startsWith('d')}
      >
        {frameClass === null ? (
          props.children
        ) : (
          <div class={`panel__frame ${frameClass}`} style={indent > 0 ? { '--indent': `${indent}px` } : {}}>
            {props.children}
          </div>
        )}
      </TitledGrid>
      {ColorLegend && <ColorLegend scale={scale} marker={marker} />}
      {note && <p class="panel__note">{note}</p>}
      {props.below}
    </div>
  );
}

/** The color of the tensor that a grid shows or belongs to. */
export const accentOf = (name: GridName): string => `var(--id-${name.replace(/^d/, '').charAt(0)})`;
