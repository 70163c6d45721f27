import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Slot } from '../kit/stage/Slot';
import { Tensors } from '../kit/stage/Tensors';
import type { TensorPanelProps } from '../kit/TensorPanel';
import type { ViewProps } from '../kit/view';
import { useViewModel } from '../kit/view-model';
import type { DyPicture } from './dy-parts';
import { boardParts } from './second';
import './loss.css';

interface BackwardProps extends Pick<ViewProps, 'wanted' | 'onState'> {
  /** Of the settings of dy; null: not needed, or loading. */
  readonly parts: typeof import('./dy-parts') | null;
  readonly picture: DyPicture | null;
}

/**
 * The backward pass: dy from the loss at y, then dx from dy and w, dw from dy and x, db from dy. Each gradient is below its
 * tensor, or on a narrow screen below the tensors it is computed from. db is also shown without a bias.
 */
export function Backward({ picture, ...dy }: BackwardProps) {
  const { layout, absent } = useViewModel();
  /** The step to a tensor, between two panels of a narrow screen, which are one below the other. */
  const label = (to: string, text: ComponentChildren) =>
    layout.value.arrangement === 'stack' &&
    !absent.value.includes(to) && (
      <div class="way">
        <span aria-hidden="true">↓</span>
        <span>{text}</span>
      </div>
    );
  const parts = boardParts.value;
  const Overlay = picture?.overlay && dy.parts?.OverlayMap;
  return (
    <>
      {parts && !picture?.target && <parts.Graph />}
      {label('', parts && <parts.LossText />)}
      <Dy {...dy} />
      {label(
        'dx',
        <>
          <i>dx</i> from <i>dy</i> and <i>w</i>
        </>,
      )}
      {Overlay ? <Overlay /> : <Tensors names={['dx']} />}
      {label(
        'dw',
        <>
          <i>dw</i> from <i>dy</i> and <i>x</i>
        </>,
      )}
      <Tensors names={['dw']} />
      {label(
        'db',
        <>
          <i>db</i>: the sum of <i>dy</i>
        </>,
      )}
      <Tensors names={['db']} />
    </>
  );
}

/** dy with its menu; it can be painted, or its single 1 moved. */
function Dy({ wanted, onState, parts }: Omit<BackwardProps, 'picture'>) {
  const root = useRef<HTMLDivElement>(null);
  const [acts, setActs] = useState<TensorPanelProps['acts']>();
  return (
    <div ref={root}>
      <Slot tensor="dy" acts={acts} menu={boardParts.value?.dyMenuOf({ wanted, onState })} />
      {parts && <parts.DyActs root={root} wanted={wanted} onActs={setActs} />}
    </div>
  );
}
