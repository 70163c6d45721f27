import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { GridName } from '../../protocol/cell';
import { ColourLegend } from '../../ui/ColourLegend';
import type { ColourScale } from '../../ui/colour-scale';
import { GridFigure } from '../../ui/grid/GridFigure';
import './panel.css';

interface PanelProps {
  readonly tensor: GridName;
  /** It has several slices: a group of grid and choosers. */
  readonly group?: boolean;
  readonly title: string;
  readonly subtitle: string;
  readonly size: string;
  readonly accent?: string | undefined;
  readonly scale: ColourScale;
  /** The value that the legend points at. */
  readonly marker?: ReadonlySignal<number | null> | undefined;
  readonly legend?: boolean;
  /** No value is below zero. */
  readonly positive?: boolean;
  /** A few words below the grid. */
  readonly note?: string | undefined;
  /** Pixels that the grid stands in from the left, so that its columns stand below those of its twin. */
  readonly indent?: number;
  /** The frame's own class; null: the children have frames themselves. */
  readonly framed?: string | null;
  readonly below?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What every grid on the stage has around it: its name, a frame in its tensor's colour, a legend. */
export function Panel(props: PanelProps) {
  const {
    tensor,
    group = false,
    title,
    subtitle,
    size,
    accent,
    scale,
    marker,
    positive = false,
    note,
    indent = 0,
    framed = '',
    legend = true,
  } = props;
  return (
    <div class={`panel panel--${tensor}`} {...(group ? { role: 'group', 'aria-label': tensor } : {})}>
      <GridFigure
        title={title}
        subtitle={subtitle}
        size={size}
        accent={accent ?? accentOf(tensor)}
        twin={tensor.startsWith('d')}
      >
        {framed === null ? (
          props.children
        ) : (
          <div class={`panel__frame ${framed}`} style={indent > 0 ? { marginLeft: `${indent + FRAME}px` } : {}}>
            {props.children}
          </div>
        )}
      </GridFigure>
      {legend && <ColourLegend scale={scale} marker={marker} positive={positive} />}
      {note && <p class="panel__note">{note}</p>}
      {props.below}
    </div>
  );
}

/** Margin of a frame; see panel.css. */
const FRAME = 4;

/** Which tensor a grid is, was made of, or turns into: its colour says so. */
export const accentOf = (name: GridName): string => `var(--id-${name.replace(/^d/, '').charAt(0)})`;
