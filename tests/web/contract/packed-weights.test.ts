import { describe, expect, it } from 'vitest';
import { SessionHeap } from '../../../web/src/engine/session-heap';
import { shapeSize } from '../../../web/src/protocol/shapes';
import type { MainModule } from '../../../web/src/wasm/module';
import { makeDesc, makeRequest } from './requests';
import { layerIn, load, numbers, VARIANTS } from './support';

const SIZES = { n: 1, h: 7, w: 6, c: 5, k: 9, kh: 3, kw: 2 };
const PASSES = [
  ['forward', 'y'],
  ['backward_data', 'dx'],
] as const;

function fill(values: Float32Array, factor: number): void {
  for (let i = 0; i < values.length; i += 1) values[i] = ((i * factor) % 11) - 5;
}

function start(module: MainModule): SessionHeap {
  const heap = new SessionHeap(module);
  const { x_shape, w_shape, y_shape } = heap.setProblem(makeDesc({ ...SIZES, stride_h: 2 }));
  const tensors = [
    ['x', x_shape, 7],
    ['w', w_shape, 3],
    ['dy', y_shape, 5],
  ] as const;
  for (const [name, shape, factor] of tensors) fill(heap.reserve(name, shapeSize(shape)), factor);
  return heap;
}

describe.each(VARIANTS)('a session with packed weights, %s', (variant) => {
  it.each(PASSES)('never runs %s with outdated weights', async (pass, output) => {
    const { module } = await load(variant);
    const heap = start(module);
    const run = (algorithm?: string): number[] => {
      if (algorithm !== undefined) heap.setAlgorithm(pass, algorithm);
      heap.run(pass, () => undefined);
      return numbers(heap.view(output));
    };
    const writable = () => heap.session.writable(0, module.Slot.w);
    const changes = [
      () => fill(writable(), 4),
      () => {
        heap.must(heap.session.reserve(0, module.Slot.w, heap.length('w')));
        fill(writable(), 6);
      },
    ];
    const seen = new Set<string>();
    for (const change of changes) {
      change();
      const expected = run('reference');
      seen.add(String(expected));
      // The second run packs the weights, the third uses them.
      for (const algorithm of ['implicit_gemm', undefined, undefined, undefined])
        expect(run(algorithm)).toEqual(expected);
    }
    expect(seen.size).toBe(changes.length);

    // Also without another algorithm in between.
    run('implicit_gemm');
    const before = [run(), run()];
    fill(writable(), 8);
    const after = [run(), run(), run()];
    expect(String(before[0])).toBe(String(before[1]));
    expect(after[0]).not.toEqual(before[1]);
    const expected = run('reference');
    for (const values of after) expect(values).toEqual(expected);
    heap.close();
  });
});

/** Sizes at which the packing of weights decides between two algorithms. */
const SMALL = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((size) => [3, 16, 64, 160].map((channels) => ({ size, channels })));

describe.each(VARIANTS)('the list of algorithms, %s', (variant) => {
  it('has the lowest cost for the algorithm that the library chooses', async () => {
    const { engine } = await load(variant);
    const padding = { top: 1, bottom: 1, left: 1, right: 1 };
    for (const { size, channels } of SMALL) {
      const desc = makeDesc({ h: size, w: size, c: channels, k: channels, padding });
      const { runs } = layerIn(engine.compute(makeRequest(desc), 1));
      const lists = engine.ask(1, { kind: 'algorithms' });
      for (const pass of ['forward', 'backward_data', 'backward_weights', 'backward_bias'] as const) {
        const fit = lists[pass].filter(({ supported }) => supported);
        const least = Math.min(...fit.map(({ cost }) => cost));
        const cheapest = fit.find(({ cost }) => cost === least)?.name;
        expect(runs[pass]?.algorithm, `${pass} of ${size} x ${size} x ${channels}`).toBe(cheapest);
      }
    }
    engine.dispose();
  });
});
