import type { ComponentChildren } from 'preact';
import { late } from '../../ui/late';
import { usePicture } from '../kit/picture';
import { Tensors } from '../kit/stage/Tensors';
import './loss.css';

/** The arrows stand between the panels and move none: they come right after them. */
const graph = late(() => import('./Graph'));

/**
 * What comes back: y makes the loss, the loss dy, and dy makes dx with w, dw with x, and db. Each gradient stands below the
 * tensor it belongs to, or on a narrow screen below what it is made of. db is there without a bias too: what one would get.
 */
export function Backward() {
  const stacked = usePicture().layout.value.arrangement === 'stack';
  const parts = graph();
  return (
    <>
      {parts && <parts.Graph />}
      {stacked && <Way>{parts && <parts.LossWords />}</Way>}
      <Tensors names={['dy']} />
      {stacked && (
        <Way>
          <i>dy</i> with <i>w</i> makes <i>dx</i>
        </Way>
      )}
      <Tensors names={['dx']} />
      {stacked && (
        <Way>
          <i>dy</i> with <i>x</i> makes <i>dw</i>
        </Way>
      )}
      <Tensors names={['dw']} />
      {stacked && (
        <Way>
          <i>dy</i> added up makes <i>db</i>
        </Way>
      )}
      <Tensors names={['db']} />
    </>
  );
}

/** On a narrow screen the panels follow one another downwards. */
function Way({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="way">
      <span aria-hidden="true">↓</span>
      <span>{children}</span>
    </div>
  );
}
