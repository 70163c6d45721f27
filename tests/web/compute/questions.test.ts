import { beforeEach, describe, expect, test } from 'vitest';
import { type QuestionClient, Questions } from '../../../web/src/compute/questions';
import type { Outcome, QuestionRequest, QuestionResult } from '../../../web/src/protocol/messages';
import type { Tensor } from '../../../web/src/protocol/problem';
import type { Question } from '../../../web/src/protocol/questions';
import { learned } from './learned';

/** A client that answers on request of the test. */
class FakeClient implements QuestionClient {
  readonly asked: QuestionRequest[] = [];
  stops = 0;
  #end: (outcome: Outcome<never>) => void = () => undefined;
  progress: (phase: string, fraction: number) => void = () => undefined;

  readonly ask: QuestionClient['ask'] = ((
    request: QuestionRequest,
    options: { onProgress: FakeClient['progress'] },
  ) => {
    this.asked.push(request);
    this.progress = options.onProgress;
    return new Promise((resolve) => {
      this.#end = resolve;
    });
  }) as never;

  readonly stopQuestion = (): void => {
    this.stops += 1;
    void this.end({ status: 'dropped', why: 'cancelled' });
  };

  async end(outcome: Outcome<QuestionResult>): Promise<void> {
    this.#end(outcome as Outcome<never>);
    for (let i = 0; i < 3; i += 1) await Promise.resolve();
  }

  answer = (answer: unknown = tensor(1)): Promise<void> =>
    this.end({ status: 'done', result: { type: 'question', answer } as QuestionResult });
}

const tensor = (cells: number): Tensor => ({
  shape: [1, 1, cells, 1],
  data: new Float32Array(cells),
  stats: { min: 0, max: 0, max_abs: 0, not_finite: 0 },
});

const frame = (steps: number) => ({ kind: 'partial', process: 'forward', steps }) as const;

let client: FakeClient;
let questions: Questions;
const status = (revision: number, question: Question) => questions.state(revision, question).value.status;
const steps = () =>
  client.asked.map(({ revision, question }) => [revision, question.kind === 'partial' && question.steps]);

beforeEach(() => {
  client = new FakeClient();
  questions = new Questions(client);
});

describe('asking', () => {
  test('asks one question at a time, in order', async () => {
    questions.want({}, 1, [frame(1), frame(2)]);
    expect(steps()).toEqual([[1, 1]]);
    await client.answer('first');
    expect(steps()).toEqual([
      [1, 1],
      [1, 2],
    ]);
    expect(questions.state(1, frame(1)).value).toEqual({ status: 'answered', answer: 'first' });
    expect(status(1, frame(2))).toBe('asking');
  });

  test('asks equal questions of several owners once', async () => {
    questions.want({}, 1, [frame(1)]);
    questions.want({}, 1, [{ steps: 1, process: 'forward', kind: 'partial' }]);
    await client.answer();
    questions.want({}, 1, [frame(1)]);
    expect(client.asked).toHaveLength(1);
  });

  test('does not ask questions that are no longer needed', async () => {
    const scrubber = {};
    for (const step of [1, 2, 3, 4]) questions.want(scrubber, 1, [frame(step)]);
    await client.answer();
    expect(steps()).toEqual([
      [1, 1],
      [1, 4],
    ]);
    questions.release(scrubber);
    await client.answer();
    expect(client.asked).toHaveLength(2);
  });

  test('asks urgent questions first', async () => {
    questions.want({}, 1, [frame(1), frame(2)]);
    questions.want({}, 1, [frame(9)], true);
    await client.answer();
    expect(steps()[1]).toEqual([1, 9]);
  });

  test('reports progress per question', () => {
    questions.want({}, 1, [frame(1), frame(2)]);
    client.progress('frame', 0.5);
    expect(questions.state(1, frame(1)).value).toEqual({ status: 'asking', phase: 'frame', fraction: 0.5 });
    expect(questions.state(1, frame(2)).value).toEqual({ status: 'asking', phase: '', fraction: 0 });
  });
});

describe('an answer belongs to its problem', () => {
  test('asks again for the next problem', async () => {
    const owner = {};
    questions.want(owner, 1, [frame(1)]);
    await client.answer('of one');
    questions.want(owner, 2, [frame(1)]);
    expect(status(2, frame(1))).toBe('asking');
    await client.answer('of two');
    expect(questions.state(2, frame(1)).value).toMatchObject({ answer: 'of two' });
  });

  test('ignores an answer about a previous problem', async () => {
    const owner = {};
    questions.want(owner, 1, [frame(1)]);
    questions.want(owner, 2, [frame(1)]);
    await client.answer('of one');
    expect(status(2, frame(1))).toBe('asking');
    expect(steps().at(-1)).toEqual([2, 1]);
  });

  test('stops asking questions about a previous problem', async () => {
    questions.want({}, 1, [frame(1)]);
    await client.end({ status: 'dropped', why: 'stale' });
    expect(client.asked).toHaveLength(1);
  });

  test('asks a superseded question again, because the edit may fail', async () => {
    questions.want({}, 1, [frame(1)]);
    await client.end({ status: 'dropped', why: 'superseded' });
    expect(client.asked).toHaveLength(2);
    await client.answer();
    expect(status(1, frame(1))).toBe('answered');
  });
});

describe('once', () => {
  test('settles with the answer, which a view may have asked for', async () => {
    const settled = questions.once(1, frame(1));
    questions.want({}, 1, [frame(1)]);
    await client.answer('one');
    expect(await settled).toEqual({ status: 'answered', answer: 'one' });
    expect(await questions.once(1, frame(1))).toEqual({ status: 'answered', answer: 'one' });
    expect(client.asked).toHaveLength(1);
  });

  test('asks a failed question again, and ends when the problem is no longer current', async () => {
    const error = { code: 'out_of_memory', field: '', message: 'too large' } as const;
    const failed = questions.once(1, frame(1));
    await client.end({ status: 'failed', error });
    expect(await failed).toEqual({ status: 'failed', error });
    const stale = questions.once(1, frame(1));
    await client.end({ status: 'dropped', why: 'stale' });
    expect(await stale).toEqual({ status: 'cancelled' });
    expect(client.asked).toHaveLength(2);
  });
});

describe('cancel, failure, retry', () => {
  const error = { code: 'out_of_memory', field: '', message: 'too large' } as const;

  test('keeps a failure until retry, without blocking other questions', async () => {
    questions.want({}, 1, [frame(1), frame(2)]);
    await client.end({ status: 'failed', error });
    expect(questions.state(1, frame(1)).value).toEqual({ status: 'failed', error });
    expect(steps().at(-1)).toEqual([1, 2]);
    await client.answer();
    questions.retry(1, [frame(1)]);
    await client.answer();
    expect(status(1, frame(1))).toBe('answered');
  });

  test('cancel ends running and waiting questions; retry asks them again', async () => {
    questions.want({}, 1, [frame(1), frame(2)]);
    questions.cancel(1, [frame(1), frame(2)]);
    await client.end({ status: 'dropped', why: 'cancelled' });
    expect([status(1, frame(1)), status(1, frame(2)), client.stops]).toEqual(['cancelled', 'cancelled', 1]);
    expect(client.asked).toHaveLength(1);
    questions.retry(1, [frame(1), frame(2)]);
    await client.answer();
    await client.answer();
    expect([status(1, frame(1)), status(1, frame(2))]).toEqual(['answered', 'answered']);
  });

  test('cancelling the questions of one owner keeps the others', async () => {
    questions.want({}, 1, [frame(1)]);
    questions.want({}, 1, [frame(5)]);
    questions.cancel(1, [frame(1)]);
    await Promise.resolve();
    await client.answer();
    expect([status(1, frame(1)), status(1, frame(5))]).toEqual(['cancelled', 'answered']);
  });

  test('asks nothing after everything is cancelled', async () => {
    questions.want({}, 1, [frame(1), frame(2)]);
    await client.end({ status: 'dropped', why: 'cancelled' });
    expect([status(1, frame(1)), status(1, frame(2))]).toEqual(['cancelled', 'cancelled']);
    expect(client.asked).toHaveLength(1);
  });
});

describe('memory', () => {
  test('evicts the least recently used answers, but no needed ones', async () => {
    questions = new Questions(client, 10_000);
    const scrubber = {};
    const held = {};
    questions.want(held, 1, [frame(0)]);
    await client.answer(tensor(1000));
    for (const step of [1, 2, 3]) {
      questions.want(scrubber, 1, [frame(step)]);
      await client.answer(tensor(1000));
    }
    expect([0, 1, 2, 3].map((step) => status(1, frame(step)))).toEqual(['answered', 'asking', 'answered', 'answered']);
  });

  test('keeps only the last answers of gradient descent, and needed ones', async () => {
    const learn = (steps: number) => learned({ steps });
    const [held, player] = [{}, {}];
    questions.want(held, 1, [learn(0)]);
    await client.answer({});
    for (let step = 1; step <= 20; step += 1) {
      questions.want(player, 1, [learn(step)]);
      await client.answer({});
    }
    // From the last to the first, because a lookup of an evicted answer adds an entry.
    const kept = Array.from({ length: 21 }, (_, back) => 20 - back).filter((t) => status(1, learn(t)) === 'answered');
    expect(kept).toEqual([20, 19, 18, 17, 16, 15, 14, 13, 0]);
  });

  test('evicts answers about earlier problems', async () => {
    const owner = {};
    questions.want(owner, 1, [frame(1)]);
    await client.answer();
    questions.want(owner, 2, [frame(1)]);
    expect(status(1, frame(1))).toBe('asking');
  });
});
