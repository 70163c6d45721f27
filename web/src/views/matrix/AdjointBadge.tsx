import type { Adjoint } from '../../protocol/questions';
import { formatScientific } from '../../ui/quantities';
import '../kit/badge.css';

/** Largest relative difference that counts as float32 rounding; that of a wrong gradient is far larger. */
const ROUNDING = 1e-4;

/** The adjoint test: the two inner products are equal if dx is Cᵀ dy. */
export function AdjointBadge({ adjoint }: { readonly adjoint: Adjoint | null }) {
  // NaN: the values are hidden.
  if (!adjoint || Number.isNaN(adjoint.difference)) return null;
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
  if (difference === 0) return 'Equal: dx is Cᵀ dy.';
  if (relative <= ROUNDING) return `Difference ${formatScientific(difference, 2)}: rounding.`;
  return `Difference ${formatScientific(difference, 2)}: dx is not Cᵀ dy.`;
}
