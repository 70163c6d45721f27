import { describe, expect, it } from 'vitest';
import type { MainModule } from '../../../web/src/wasm/module';
import { openSession, type Session } from '../../../web/src/wasm/session';
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

describe.each(VARIANTS)('a session that keeps packed weights, %s', (variant) => {
  it.each(PASSES)('never runs %s with weights that have changed since', async (pass, output) => {
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
      // The second of them packs, the third finds them packed.
      for (const algorithm of ['implicit_gemm', undefined, undefined, undefined])
        expect(run(algorithm)).toEqual(expected);
    }
    expect(seen.size).toBe(changes.length);

    // Without a new plan in between, too.
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
