import { RACE_BUILDS, type RaceCeilings, type RaceResult } from '../../protocol/race';
import { LogLogPlot, type LogLogSeries } from '../../ui/plot/LogLogPlot';
import type { Series } from '../../ui/plot/series';
import { PASS_NAMES, speedsOf } from './format';

interface RooflineProps {
  readonly results: readonly RaceResult[];
  readonly ceilings: RaceCeilings;
}

const NAMES = { loops: 'plain loops', simd: 'SIMD', relaxed: 'relaxed SIMD', threads: 'threads' } as const;

/** The fastest algorithm of each build in each race, with the peak speeds of the device. */
export function Roofline({ results, ceilings }: RooflineProps) {
  const series = RACE_BUILDS.flatMap((build): LogLogSeries[] => {
    const points = results.flatMap((result) => {
      const speeds = result.entries
        .filter((entry) => entry.build === build)
        .map((entry) => speedsOf(result, entry)?.middle);
      const best = Math.max(...speeds.flatMap((speed) => speed ?? []));
      return Number.isFinite(best) ? [{ x: result.flops / result.bytes, y: best, name: nameOf(result) }] : [];
    });
    return points.length > 0 ? [{ name: NAMES[build], kind: build, joined: false, points }] : [];
  });
  if (series.length === 0) return null;
  const xs = series.flatMap(({ points }) => points.map(({ x }) => x));
  return (
    <section class="race__task">
      <h3>Roofline: compute-bound or memory-bound?</h3>
      <p class="race__sizes">
        Each point is the fastest algorithm of one build in one race. Points further right do more operations per byte.
        There the peak of multiply-adds is the limit; on the slope at the left, memory bandwidth is. Winograd needs
        fewer multiplications and can exceed the peak. Tensors that fit in the cache can exceed the slope.
      </p>
      <LogLogPlot
        label="Speed over operations per byte, with the peak speeds of this device"
        xLabel="operations per byte of the tensors"
        yLabel="GFLOP/s"
        series={series}
        roofs={roofsOf(ceilings, Math.min(...xs) / 2, Math.max(...xs) * 2)}
        xs={null}
      />
    </section>
  );
}

const nameOf = ({ name, pass }: RaceResult): string =>
  `${name === 'this problem' ? '' : `${name} `}${PASS_NAMES[pass].replace(/ .*/, '')}`;

/** min(ceiling, bandwidth * x). */
function roofsOf({ bandwidth, ...tops }: RaceCeilings, first: number, last: number): readonly Series[] {
  return (['simd', 'relaxed', 'threads'] as const).flatMap((kind) => {
    const top = tops[kind];
    if (top === null || bandwidth === null) return [];
    const roof = (x: number) => ({ x, y: Math.min(top, bandwidth * x) });
    const corner = top / bandwidth;
    const bend = corner > first && corner < last ? [roof(corner)] : [];
    return [{ name: NAMES[kind], points: [roof(first), ...bend, roof(last)] }];
  });
}
