import { RACE_BUILDS, type RaceCeilings } from '../../protocol/race';
import { formatRatio } from '../../ui/quantities';
import type { RaceRecord } from './record';

const BUILDS = {
  loops: 'plain loops, optimized by the compiler only',
  simd: 'the library with SIMD: four numbers per instruction',
  relaxed: 'the library with relaxed SIMD: multiply and add in one instruction',
  threads: 'the library with relaxed SIMD and threads',
} as const;

/** Features and peak speeds of this browser. */
export function Facts({ record }: { readonly record: RaceRecord | null }) {
  if (!record?.machine) {
    return (
      <p class="race__note">
        This browser reports {navigator.hardwareConcurrency} processors. The page{' '}
        {window.crossOriginIsolated ? 'can' : 'cannot'} use threads here (crossOriginIsolated). Other features are
        checked when a race starts.
      </p>
    );
  }
  const { cores, threads, clock_step, builds } = record.machine;
  return (
    <>
      <ul class="race__facts">
        {RACE_BUILDS.map((build) => (
          <li key={build}>
            {builds[build] === '' ? 'Included: ' : 'Not included: '}
            {BUILDS[build]}
            {build === 'threads' && builds.threads === '' ? ` (${threads} of ${cores} processors)` : ''}
            {builds[build] === '' ? '.' : `: ${builds[build]}.`}
          </li>
        ))}
      </ul>
      <p class="race__note">
        The clock resolution is{' '}
        {clock_step < 1 ? `${Math.round(clock_step * 1000)} µs` : `${Math.round(clock_step)} ms`}. Runs are repeated
        until they take at least 20 times as long.
      </p>
      <p class="race__note">{ceilingWords(record.ceilings)}</p>
    </>
  );
}

function ceilingWords({ simd, relaxed, threads, bandwidth }: RaceCeilings): string {
  const tops = [
    ...(simd === null ? [] : [`${formatRatio(simd)} with SIMD`]),
    ...(relaxed === null ? [] : [`${formatRatio(relaxed)} with relaxed SIMD`]),
    ...(threads === null ? [] : [`${formatRatio(threads)} with all threads at once`]),
  ];
  if (tops.length === 0) return '';
  return `Peak speed in GFLOP/s (billions of operations per second): ${tops.join(', ')}. It is measured between the \
races with multiply-adds that do not access memory.\
${bandwidth === null ? '' : ` Memory bandwidth: ${formatRatio(bandwidth)} GB/s for three long arrays.`}`;
}

export function HowMeasured() {
  return (
    <details class="race__more">
      <summary>How it is measured</summary>
      <p>
        Each time is the median of several rounds. Every implementation runs in each round, in rotating order. The
        bracket on a bar spans the middle half of the rounds. Each implementation warms up first, because browsers
        optimize code that runs often.
      </p>
      <p>The weights do not change between runs, so algorithms that pack them do so once, before timing.</p>
      <p>
        <em>Plain loops</em> are the formula in C++, with float sums, the same compiler and one thread. For NHWC there
        is a second loop order, which the compiler can vectorize. <em>im2col</em> copies a block of windows into a
        matrix and multiplies. It never stores the whole matrix x_col; its size is listed for comparison.
      </p>
      <p>
        An operation is a multiplication or an addition of the direct convolution, including multiplications with
        padding. Implementations that skip these, or need fewer (such as Winograd), report a higher speed.
      </p>
    </details>
  );
}
