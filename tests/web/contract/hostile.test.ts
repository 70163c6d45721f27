import { beforeAll, describe, expect, test } from 'vitest';
import { SessionHeap } from '../../../web/src/engine/session-heap';
import type { ComputeRequest, Request } from '../../../web/src/protocol/messages';
import type { ConvError, ErrorCode } from '../../../web/src/protocol/problem';
import { makeDesc, makeRequest, ownLayer } from './requests';
import { errorOf, type Loaded, layerIn, load, numbers } from './support';

/** A valid request with some fields, of itself or of its layer, replaced by wrong values. */
function hostile(change: Record<string, unknown>): ComputeRequest {
  const request = makeRequest();
  const own = Object.entries(change).filter(([name]) => Object.hasOwn(ownLayer(request), name));
  const rest = Object.entries(change).filter((entry) => !own.some(([name]) => name === entry[0]));
  const layers = [{ ...ownLayer(request), ...Object.fromEntries(own) }];
  return { ...request, layers, ...Object.fromEntries(rest) } as ComputeRequest;
}

/** The request with this description, in its two parts: the sizes of x, and the window. */
function requestWith(desc: Record<string, unknown>): ComputeRequest {
  const request = makeRequest();
  const parts = Object.entries(desc);
  const isOfInput = ([name]: [string, unknown]) => Object.hasOwn(request.input, name);
  const window = Object.fromEntries(parts.filter((part) => !isOfInput(part)));
  const input = Object.fromEntries(parts.filter(isOfInput));
  return { ...request, input, layers: [{ ...ownLayer(request), window }] } as unknown as ComputeRequest;
}
const hostileDesc = (change: Record<string, unknown>) => requestWith({ ...makeDesc(), ...change });

/** Those of no other request here. */
const OTHER_SIZES = { layout: 'nhwc', n: 1, h: 5, w: 5, c: 1 };

describe('invalid input', () => {
  let loaded: Loaded;
  beforeAll(async () => {
    loaded = await load('simd');
  });

  const errorFor = (request: ComputeRequest): ConvError => errorOf(() => loaded.engine.compute(request, 1));

  const padding = { top: 0, bottom: 0, left: 0, right: 0 };
  const table: readonly (readonly [string, Record<string, unknown>, ErrorCode, string])[] = [
    ['a huge count', { h: 2 ** 52, w: 2 ** 52 }, 'overflow', 'x'],
    ['a negative size', { n: -1 }, 'invalid_size', 'n'],
    ['no kernel', { kw: 0 }, 'invalid_size', 'kw'],
    ['stride 0', { stride_h: 0 }, 'invalid_stride', 'stride_h'],
    ['dilation 0', { dilation_w: 0 }, 'invalid_dilation', 'dilation_w'],
    ['groups that do not divide', { groups: 2 }, 'invalid_groups', 'groups'],
    ['negative padding', { padding: { ...padding, left: -1 } }, 'invalid_padding', 'padding.left'],
    ['a kernel that does not fit', { kh: 9 }, 'kernel_too_large', 'kh'],
  ];

  test.each(table)('rejects %s and names the field', (_, change, code, field) => {
    expect(errorFor(hostileDesc(change))).toMatchObject({ code, field, message: expect.stringMatching(/\w \w/) });
  });

  const requests: readonly (readonly [string, Record<string, unknown>, ErrorCode, string])[] = [
    ['no layers', { layers: [] }, 'invalid_argument', 'layers'],
    ['an unknown kind', { kind: 'toString' }, 'invalid_argument', 'kind'],
    ['no weights', { w: null }, 'length_mismatch', 'w'],
    ['too few values of x', { x: new Float32Array(15) }, 'length_mismatch', 'x'],
    ['too many values of w', { w: new Float32Array(10) }, 'length_mismatch', 'w'],
    ['a bias of the wrong length', { b: new Float32Array(2) }, 'length_mismatch', 'b'],
    ['a resident tensor that was never sent', { b: 'resident' }, 'length_mismatch', 'b'],
    ['an unknown algorithm', { algorithms: { forward: 'magic' } }, 'unknown_algorithm', 'algorithm'],
    [
      'a resident dy that was never sent',
      { input: OTHER_SIZES, x: new Float32Array(25), loss: { kind: 'given', dy: 'resident' } },
      'length_mismatch',
      'dy',
    ],
    [
      'a resident target that was never sent',
      { loss: { kind: 'mse', target: 'resident' } },
      'length_mismatch',
      'loss.target',
    ],
    [
      'one-hot outside of y',
      { loss: { kind: 'given', dy: { kind: 'one_hot', index: 4 } } },
      'invalid_argument',
      'dy.index',
    ],
    [
      'a target of another length',
      { loss: { kind: 'mse', target: new Float32Array(3) } },
      'length_mismatch',
      'loss.target',
    ],
    [
      'painted values that do not fill their shape',
      { loss: { kind: 'given', dy: { kind: 'values', shape: [1, 2, 2, 1], data: new Float32Array(5) } } },
      'length_mismatch',
      'dy.data',
    ],
  ];

  test.each(requests)('rejects %s and names the field', (_, change, code, field) => {
    expect(errorFor(hostile(change))).toMatchObject({ code, field, message: expect.stringMatching(/\w \w/) });
  });

  const questions: readonly (readonly [string, unknown, string])[] = [
    ['a negative step', { kind: 'partial', process: 'forward', steps: -1 }, 'steps'],
    ['a step too many', { kind: 'partial', process: 'forward', steps: 5 }, 'steps'],
    ['a layer that does not exist', { kind: 'coverage', layer: 1 }, 'layer'],
  ];

  test.each(questions)('rejects %s and names the field', (_, question, field) => {
    loaded.engine.compute(makeRequest(), 7);
    const request = { type: 'question', revision: 7, question } as unknown as Request;
    const error = errorOf(() => loaded.engine.answer(request, 8));
    expect(error).toMatchObject({ code: 'invalid_argument', field, message: expect.stringMatching(/\w \w/) });
  });

  test('the plain exports of learning accept only open sessions and slots', () => {
    const { module } = loaded;
    const refused = module.ErrorCode.invalid_argument.value;
    const tooShort = module.ErrorCode.length_mismatch.value;
    const [x, target] = [module.Slot.x.value, module.Slot.target.value];
    const heap = new SessionHeap(module);
    const open = heap.session.handle;
    // No problem has been set: the session itself answers.
    expect(module._conv2d_sgd_step(open, 1, 1)).toBe(refused);
    expect(module._conv2d_power_iteration_step(open, 0, 1)).toBe(refused);
    heap.setProblem(makeDesc());
    heap.reserve('x', 4);
    expect(module._conv2d_sgd_step(open, 1, 1)).toBe(tooShort);
    expect(module._conv2d_power_iteration_step(open, 0, 1)).toBe(tooShort);
    expect(module._conv2d_subtract(open, 0, x, target, 1)).toBe(tooShort);
    for (const slot of [-1, 11, 2 ** 31 - 1, -(2 ** 31)]) {
      expect(module._conv2d_subtract(open, 0, slot, target, 1)).toBe(refused);
      expect(module._conv2d_subtract(open, 0, x, slot, 1)).toBe(refused);
      expect(module._conv2d_subtract(open, slot, module.Slot.w.value, target, 1)).toBe(refused);
    }
    heap.close();
    for (const handle of [open, 0, open + 8, 2 ** 31]) {
      expect(module._conv2d_sgd_step(handle, 1, 1)).toBe(refused);
      expect(module._conv2d_subtract(handle, 0, x, target, 1)).toBe(refused);
      expect(module._conv2d_power_iteration_step(handle, 0, 1)).toBe(refused);
    }
  });

  test('the plain exports of steps accept only open sessions and steps', () => {
    const { module } = loaded;
    const refused = module.ErrorCode.invalid_argument.value;
    const tooShort = module.ErrorCode.length_mismatch.value;
    const forward = module.Pass.forward.value;
    const all = 31;
    const heap = new SessionHeap(module);
    const other = new SessionHeap(module);
    const one = heap.session.handle;
    // No problem has been set: the session itself answers.
    expect(module._conv2d_run(one, 0, forward)).toBe(refused);
    expect(module._conv2d_next(one, all)).toBe(-1);
    heap.setProblem(makeDesc());
    for (const number of [-1, 5, 2 ** 31 - 1, -(2 ** 31)]) {
      expect(module._conv2d_run(one, 0, number)).toBe(refused);
      expect(module._conv2d_run(one, number, forward)).toBe(refused);
    }
    // Its tensors have no values.
    expect(module._conv2d_next(one, all)).toBe(forward);
    expect(module._conv2d_run(one, 0, forward)).toBe(tooShort);
    for (const handle of [0, one + 8, 2 ** 31]) {
      expect(module._conv2d_run(handle, 0, forward)).toBe(refused);
      expect(module._conv2d_next(handle, all)).toBe(-1);
    }
    heap.close();
    expect(module._conv2d_run(one, 0, forward)).toBe(refused);
    heap.close();
    other.setProblem(makeDesc());
    expect(module._conv2d_run(other.session.handle, 0, forward)).toBe(tooShort);
    other.close();
  });

  test('keeps the current problem if a descriptor is rejected', () => {
    loaded.engine.compute(makeRequest(), 7);
    errorFor(hostileDesc({ stride_h: 0 }));
    const look = { kind: 'products', a: 'x', b: 'w', run: 1 } as const;
    const result = loaded.engine.ask(7, { ...look, index_a: Int32Array.of(5, -1), index_b: Int32Array.of(2, 0) });
    expect(numbers(result.products)).toEqual([15, 0]);
    expect(result.sum).toBe(15);
  });

  test('propagates NaN and infinities', () => {
    const x = new Float32Array(16).fill(1);
    x[0] = Number.NaN;
    x[15] = Number.POSITIVE_INFINITY;
    const { tensors, input_stats } = layerIn(loaded.engine.compute(makeRequest(makeDesc(), { x }), 1));
    expect(numbers(tensors.y?.data)).toEqual([Number.NaN, 45, 45, Number.POSITIVE_INFINITY]);
    expect(tensors.y?.stats).toEqual({ min: 45, max: 45, max_abs: 45, not_finite: 2 });
    expect(input_stats.x).toEqual({ min: 1, max: 1, max_abs: 1, not_finite: 2 });
  });
});
