import { expect, it } from 'vitest';
import { type EmbedAnswer, type EmbedRequest, openHostChannel } from '../../../web/src/embed/protocol';

const HOST = 'https://course.example';
const DONE: EmbedAnswer = {
  ok: true,
  state: { link: 'v=2&h=5', fields: { v: '2', h: '5' }, omitted: [] },
  complaints: [],
};

interface Sent {
  readonly to: string;
  readonly message: Readonly<Record<string, unknown>>;
}

/** A frame in a page of HOST. */
function framed(origins: readonly string[], ancestorOrigins: readonly string[] | undefined = [HOST]) {
  const sent: Sent[] = [];
  const asked: EmbedRequest[] = [];
  const parent = { postMessage: (message: Sent['message'], to: string) => sent.push({ to, message }) };
  let listener: ((event: unknown) => void) | null = null;
  const page = {
    parent,
    location: { ancestorOrigins },
    addEventListener: (_name: string, listen: (event: unknown) => void) => {
      listener = listen;
    },
    removeEventListener: () => {
      listener = null;
    },
  };
  const gate = openHostChannel(page as unknown as Window, origins, async (request) => {
    asked.push(request);
    return DONE;
  });
  const post = async (data: unknown, origin = HOST, source: unknown = parent) => {
    listener?.({ data, origin, source });
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { sent, asked, gate, post };
}

const get = { conv2d: 1, id: 7, do: 'get' };

it('answers the parent window at an allowed origin, and announces itself', async () => {
  const { sent, asked, post } = framed([HOST]);
  expect(sent).toEqual([{ to: HOST, message: { conv2d: 1, event: 'ready' } }]);
  await post(get);
  expect(asked).toEqual([{ id: 7, do: 'get' }]);
  expect(sent[1]).toEqual({ to: HOST, message: { conv2d: 1, id: 7, ...DONE } });
});

it('ignores any other window and origin', async () => {
  const { sent, asked, post } = framed([HOST]);
  const before = sent.length;
  await post(get, 'https://other.example');
  await post(get, 'null');
  await post(get, HOST.replace('https', 'http'));
  await post(get, `${HOST}:444`);
  // A sibling frame, or the opener, of the right origin.
  await post(get, HOST, { postMessage: () => undefined });
  await post(get, HOST, null);
  expect(asked).toEqual([]);
  expect(sent.length).toBe(before);
});

it('sends events only after "hello", and only to its origin', async () => {
  const { sent, gate, post } = framed(['https://other.example', HOST]);
  // The browser names the parent: no other origin gets a message.
  expect(sent.map(({ to }) => to)).toEqual([HOST]);
  gate.send({ event: 'select', cell: null });
  await post(get);
  gate.send({ event: 'select', cell: null });
  expect(sent.length).toBe(2);
  await post({ conv2d: 1, id: 'a', do: 'hello' });
  gate.send({ event: 'select', cell: null });
  expect(sent.at(-1)).toEqual({ to: HOST, message: { conv2d: 1, event: 'select', cell: null } });
  gate.stop();
  await post(get);
  expect(sent.length).toBe(4);
});

it('is inactive in a top-level window', async () => {
  const listeners: string[] = [];
  const page = { location: {}, addEventListener: (name: string) => listeners.push(name), postMessage: () => undefined };
  Object.assign(page, { parent: page });
  openHostChannel(page as unknown as Window, [HOST], async () => DONE);
  expect(listeners).toEqual([]);
});

it('answers an invalid message with a reason, and ignores other messages', async () => {
  const { sent, asked, post } = framed([HOST]);
  for (const data of [
    null,
    1,
    'conv2d',
    [],
    {},
    { do: 'get', id: 1 },
    { conv2d: 1, do: 'get' },
    { conv2d: 1, id: {} },
  ]) {
    await post(data);
  }
  expect(sent.length).toBe(1);
  const wrong = [
    [{ ...get, conv2d: 2 }, 'version'],
    [{ ...get, do: 'run' }, 'message'],
    [{ ...get, do: 'set' }, 'message'],
    [{ ...get, do: 'set', state: 5 }, 'message'],
    [{ ...get, do: 'set', state: ['h=5'] }, 'message'],
    [{ ...get, do: 'set', state: { 'h=5&k': 2 } }, 'message'],
    [{ ...get, do: 'change', state: 'h=5' }, 'message'],
    [
      { ...get, do: 'change', state: Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`a${i}`, i])) },
      'message',
    ],
  ] as const;
  for (const [data, fault] of wrong) {
    await post(data);
    expect(sent.at(-1)?.message).toMatchObject({
      conv2d: 1,
      id: 7,
      ok: false,
      fault,
      complaints: [expect.any(String)],
    });
  }
  expect(asked).toEqual([]);
});

it('accepts the text of a link, a whole link, or fields', async () => {
  const { asked, post } = framed([HOST]);
  await post({ ...get, do: 'set', state: 'h=5&kh=3' });
  await post({ ...get, do: 'set', state: 'https://conv2d.example/?embed=dx#h=5&kh=3' });
  await post({ ...get, do: 'set', state: { h: 5, kh: '3', x: 'values~1,2 &=', mode: null } });
  expect(asked.map((request) => ('link' in request ? request.link : null))).toEqual([
    'h=5&kh=3',
    'h=5&kh=3',
    'h=5&kh=3&x=values~1%2C2%20%26%3D',
  ]);
});

it('leaves the reading of arrays to the driver, and names a field that it cannot read', async () => {
  const { asked, sent, post } = framed([HOST]);
  const arrays = { x: [[1, 2]], weights: Float64Array.of(1), bias: { shape: [1], values: [2] }, dy: undefined };
  for (const task of ['set', 'change']) await post({ ...get, do: task, state: { h: 5, mode: null, ...arrays } });
  const fields = { h: '5', mode: null };
  expect(asked).toEqual([
    { id: 7, do: 'set', fields, arrays },
    { id: 7, do: 'change', fields, arrays },
  ]);
  for (const [state, sentence] of [
    [[1], 'In a message, state must be the text of a link or an object of fields.'],
    [{ 'h=5&k': 2 }, '"h=5&k" in state is no name of a field.'],
    [
      Object.fromEntries(Array.from({ length: 257 }, (_, i) => [`a${i}`, i])),
      'state has 257 fields. Send at most 256.',
    ],
  ]) {
    await post({ ...get, do: 'set', state });
    expect(sent.at(-1)?.message).toMatchObject({ ok: false, fault: 'message', complaints: [sentence] });
  }
});

it.each([
  [
    ['y', 'dx'],
    ['y', 'dx'],
  ],
  [[], []],
] as const)('asks for the tensors %j', async (tensors, read) => {
  const { asked, post } = framed([HOST]);
  await post({ ...get, tensors });
  expect(asked).toEqual([{ id: 7, do: 'get', tensors: read }]);
});

it.each([['y'], [null], [{}], [['z']], [['y', 'y']], [[['y']]], [['x_col']], [Array(9).fill('y')], [['toString']]])(
  'refuses the tensors %j, and asks for none with hello',
  async (tensors) => {
    const { sent, asked, post } = framed([HOST]);
    await post({ ...get, tensors });
    expect([asked, sent[1]?.message]).toEqual([
      [],
      {
        ...{ conv2d: 1, id: 7, ok: false, fault: 'message' },
        complaints: ['In a message, tensors must be a list of x, w, b, y, dy, dx, dw, db.'],
      },
    ]);
    await post({ ...get, do: 'hello', tensors });
    expect(asked).toEqual([{ id: 7, do: 'hello' }]);
  },
);

it('refuses more values than a link holds without reading them all', async () => {
  const { post, sent } = framed([HOST]);
  let read = 0;
  const many = new Proxy(new Array(2 ** 24).fill(1), {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) read += 1;
      return Reflect.get(target, key);
    },
  });
  for (const x of [many, [[many]], { values: many }, new Float32Array(2 ** 18), 'x'.repeat(2 ** 18)]) {
    sent.length = 0;
    await post({ conv2d: 1, id: 1, do: 'set', state: { h: 5, x } });
    expect(sent.at(-1)?.message).toMatchObject({
      id: 1,
      ok: false,
      fault: 'refused',
      complaints: ['x is too long: all fields together have at most 131,072 characters, as a link. Send fewer values.'],
    });
  }
  expect(read).toBeLessThan(2 ** 19);
});
