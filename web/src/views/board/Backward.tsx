import type { ComponentChildren } from 'preact';
import { Tensors } from '../kit/stage/Tensors';
import { useViewModel } from '../kit/view-model';
import { boardParts } from './second';
import './loss.css';

/**
 * The backward pass: dy from the loss at y, then dx from dy and w, dw from dy and x, db from dy. Each gradient is below its
 * tensor, or on a narrow screen below the tensors it is computed from. db is also shown without a bias.
 */
export function Backward() {
  const stacked = useViewModel().layout.value.arrangement === 'stack';
  const parts = boardParts.value;
  return (
    <>
      {parts && <parts.Graph />}
      {stacked && <FlowLabel>{parts && <parts.LossText />}</FlowLabel>}
      <Tensors names={['dy']} />
      {stacked && (
        <FlowLabel>
          <i>dx</i> from <i>dy</i> and <i>w</i>
        </FlowLabel>
      )}
      <Tensors names={['dx']} />
      {stacked && (
        <FlowLabel>
          <i>dw</i> from <i>dy</i> and <i>x</i>
        </FlowLabel>
      )}
      <Tensors names={['dw']} />
      {stacked && (
        <FlowLabel>
          <i>db</i>: the sum of <i>dy</i>
        </FlowLabel>
      )}
      <Tensors names={['db']} />
    </>
  );
}

/** The step between two panels of a narrow screen, which are one below the other. */
function FlowLabel({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="way">
      <span aria-hidden="true">↓</span>
      <span>{children}</span>
    </div>
  );
}
