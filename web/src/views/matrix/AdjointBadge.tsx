import type { Adjoint } from '../../protocol/questions';
import { formatScientific } from '../../ui/quantities';
import '../kit/badge.css';

/** Relative differences up to here are the rounding of sums in float32; a wrong gradient is far off. */
const ROUNDING = 1e-4;

/** The two inner products, measured: that they are equal is what makes dx the gradient. */
export function AdjointBadge({ adjoint }: { readonly adjoint: Adjoint | null }) {
  if (!adjoint) return null;
  const { forward, backward, difference, relative } = adjoint;
  return (
    <p class="badge adjoint" role="note" aria-label="adjoint test">
      <span>
        ⟨C x, dy⟩ = <b>{formatScientific(forward, 6)}</b>
      </span>
      <span>
        ⟨x, Cᵀ dy⟩ = <b>{formatScientific(backward, 6)}</b>
      </span>
      <span>{verdictOf(difference, relative)}</span>
    </p>
  );
}

function verdictOf(difference: number, relative: number): string {
  if (difference === 0) return 'The same: dx is Cᵀ dy.';
  if (relative <= ROUNDING) return `${formatScientific(difference, 2)} apart: rounding.`;
  return `${formatScientific(difference, 2)} apart: dx is not Cᵀ dy.`;
}
