import { describe, expect, it } from 'vitest';
import { openSession, type Session } from '../../../web/src/engine/session-heap';
import type { MainModule } from '../../../web/src/wasm/module';
import { makeDesc, makeRequest } from './requests';
import { load, numbers, VARIANTS } from './support';

const SIZES = { n: 1, h: 7, w: 6, c: 5, k: 9, kh: 3, kw: 2 };
const PASSES = [
  ['forward', 'y'],
  ['backward_data', 'dx'],
] as const;

function fill(values: Float32Array, factor: number): void {
  for (let i = 0; i < values.length; i += 1) values[i] = ((i * factor) % 11) - 5;
}

function start(module: MainModule): Session {
  const session = openSession(module);
  const { x_shape, w_shape, y_shape } = session.set_problem({
    layout: module.Layout.nhwc,
    ...SIZES,
    stride_h: 2,
    stride_w: 1,
    dilation_h: 1,
    dilation_w: 1,
    groups: 1,
    padding_mode: module.PaddingMode.valid,
    padding: { top: 0, bottom: 0, left: 0, right: 0 },
  });
  const tensors = [
    [module.Slot.x, x_shape, 7],
    [module.Slot.w, w_shape, 3],
    [module.Slot.dy, y_shape, 5],
  ] as const;
  for (const [slot, shape, factor] of tensors) {
    session.reserve(
      slot,
      shape.reduce((product, size) => product * size, 1),
    );
    fill(session.view(slot), factor);
  }
  return session;
}

describe.each(VARIANTS)('a session with packed weights, %s', (variant) => {
  it.each(PASSES)('never runs %s with outdated weights', async (pass, output) => {
    const { module } = await load(variant);
    const session = start(module);
    const run = (algorithm?: string): number[] => {
      if (algorithm !== undefined) {
        expect(session.plan(module.Pass[pass], algorithm).status.code).toBe(module.ErrorCode.ok);
      }
      expect(session.run(module.Pass[pass], () => true).code).toBe(module.ErrorCode.ok);
      return numbers(session.view(module.Slot[output]));
    };
    const changes = [
      () => fill(session.view(module.Slot.w), 4),
      () => {
        session.reserve(module.Slot.w, session.view(module.Slot.w).length);
        fill(session.view(module.Slot.w), 6);
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

    // Also without a new plan in between.
    run('implicit_gemm');
    const before = [run(), run()];
    fill(session.view(module.Slot.w), 8);
    const after = [run(), run(), run()];
    expect(String(before[0])).toBe(String(before[1]));
    expect(after[0]).not.toEqual(before[1]);
    const expected = run('reference');
    for (const values of after) expect(values).toEqual(expected);
    session.close_session();
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
      const { runs } = engine.compute(makeRequest(desc), 1);
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
