import { RACE_BUILDS, type RaceCeilings, type RaceMachine } from '../../protocol/race';
import { speedText } from './format';

interface FactsProps {
  readonly machine: RaceMachine | null;
  readonly ceilings: RaceCeilings | null;
}

const BUILDS = {
  loops: 'plain loops, optimized by the compiler only',
  simd: 'the library with SIMD: four numbers per instruction',
  relaxed: 'the library with relaxed SIMD: multiply and add in one instruction',
  threads: 'the library with relaxed SIMD and threads',
} as const;

/** Features and peak speeds of this browser. */
export function Facts({ machine, ceilings }: FactsProps) {
  if (!machine) {
    return (
      <p class="race__note">
        This browser reports {navigator.hardwareConcurrency} processors. The page{' '}
        {window.crossOriginIsolated ? 'can' : 'cannot'} use threads here (crossOriginIsolated). Other features are
        checked when a race starts.
      </p>
    );
  }
  const { cores, threads, clock_step, builds } = machine;
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
      {ceilings && <CeilingWords ceilings={ceilings} />}
    </>
  );
}

function CeilingWords({ ceilings: { simd, relaxed, threads, bandwidth } }: { readonly ceilings: RaceCeilings }) {
  const tops = [
    simd === null ? [] : `${speedText(simd)} with SIMD`,
    relaxed === null ? [] : `${speedText(relaxed)} with relaxed SIMD`,
    threads === null ? [] : `${speedText(threads)} with all threads at once`,
  ].flat();
  if (tops.length === 0) return null;
  return (
    <p class="race__note">
      Peak speed in GFLOP/s (billions of operations per second): {tops.join(', ')}. It is measured between the races
      with multiply-adds that do not access memory.
      {bandwidth !== null && ` Memory bandwidth: ${speedText(bandwidth)} GB/s for three long arrays.`}
    </p>
  );
}
