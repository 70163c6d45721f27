import { RACE_BUILDS, type RaceCeilings, type RaceMachine } from '../../protocol/race';
import { speedText } from './words';

interface FactsProps {
  readonly machine: RaceMachine | null;
  readonly ceilings: RaceCeilings | null;
}

const BUILDS = {
  loops: 'plain loops, as the compiler leaves them',
  simd: 'the library with SIMD: four numbers in one instruction',
  relaxed: 'the library with relaxed SIMD: a multiplication and an addition in one instruction',
  threads: 'the library with relaxed SIMD and threads',
} as const;

/** What this browser has, and what it can do at most. */
export function Facts({ machine, ceilings }: FactsProps) {
  if (!machine) {
    return (
      <p class="race__note">
        This browser says that it has {navigator.hardwareConcurrency} processors; the page{' '}
        {window.crossOriginIsolated ? 'may' : 'may not'} use threads here (crossOriginIsolated). What else it has is
        looked at when a race starts.
      </p>
    );
  }
  const { cores, threads, clock_step, builds } = machine;
  return (
    <>
      <ul class="race__facts">
        {RACE_BUILDS.map((build) => (
          <li key={build}>
            {builds[build] === '' ? 'Races: ' : 'Does not race: '}
            {BUILDS[build]}
            {build === 'threads' && builds.threads === '' ? ` (${threads} of ${cores} processors)` : ''}
            {builds[build] === '' ? '.' : `: ${builds[build]}.`}
          </li>
        ))}
      </ul>
      <p class="race__note">
        The clock has steps of {clock_step < 1 ? `${Math.round(clock_step * 1000)} µs` : `${Math.round(clock_step)} ms`}
        ; runs are repeated until together they are at least 20 steps long.
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
      Ceiling, measured here between the races by multiply-adds that touch no memory, in GFLOP/s (billions of operations
      a second): {tops.join(', ')}.{' '}
      {bandwidth !== null && `Memory: ${speedText(bandwidth)} GB/s for three long arrays.`}
    </p>
  );
}
