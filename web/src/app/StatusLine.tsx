import type { ComputeResult, ModuleVariant } from '../protocol/messages';
import { PASSES, type Pass } from '../protocol/problem';
import { formatMilliseconds } from '../ui/quantities';
import './status-line.css';

interface StatusLineProps {
  readonly result: ComputeResult;
  readonly variant: ModuleVariant | null;
}

const MAKES: Readonly<Record<Pass, string>> = {
  forward: 'y',
  backward_data: 'dx',
  backward_weights: 'dw',
  backward_bias: 'db',
};

const VARIANTS: Readonly<Record<ModuleVariant, string>> = {
  simd: 'WebAssembly, 128-bit SIMD',
  relaxed: 'WebAssembly, relaxed SIMD with fused multiply-add',
};

/** Who computed what is on the screen, and in what time. */
export function StatusLine({ result, variant }: StatusLineProps) {
  return (
    <footer class="status">
      {PASSES.map((pass) => {
        const run = result.runs[pass];
        return (
          run && (
            <span key={pass} class="status__run">
              <span class="symbol">{MAKES[pass]}</span> by {run.algorithm} in {formatMilliseconds(run.milliseconds)}
              {run.threads > 1 && ` on ${run.threads} threads`}
            </span>
          )
        );
      })}
      {variant && <span>{VARIANTS[variant]}</span>}
    </footer>
  );
}
