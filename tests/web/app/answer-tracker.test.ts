import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ANSWER_PATIENCE_MS,
  AnswerTracker,
  type QuestionSubject,
} from '../../../web/src/app/questions/answered-subject';
import { Questions } from '../../../web/src/compute/questions';
import { SlowClient } from './fake-questions';

const frame = (steps: number) => ({ kind: 'partial', process: 'forward', steps }) as const;

type Content = { readonly of: string; readonly revision: number; readonly steps: number };

function subjectOf(of: string, revision: number, steps: number, count = 1): QuestionSubject<Content> {
  const questions = Array.from({ length: count }, (_, i) => frame(steps * 100 + i));
  return { of, revision, layer: 0, content: { of, revision, steps }, questions };
}

function setUp() {
  const client = new SlowClient();
  const questions = new Questions(client);
  const tracker = new AnswerTracker<Content>(questions);
  /** What a component does: gets the state, then asks its questions. */
  const draw = (
    subject: QuestionSubject<Content>,
    now: number,
    fillsIn = false,
    shownRevision: number | null = null,
  ) => {
    const kept = tracker.next(subject, { fillsIn, shownRevision }, now);
    questions.want(tracker, kept.asked.revision, kept.asked.questions);
    return kept;
  };
  /** Each answer contains its question. */
  const answer = () => client.answer(({ revision, question }) => ({ revision, question }));
  return { client, questions, tracker, draw, answer };
}

describe('a subject with answers', () => {
  test('is drawn when all its answers have arrived', async () => {
    const { draw, answer } = setUp();
    const subject = subjectOf('view', 1, 1, 2);
    expect(draw(subject, 0).answered).toBeNull();
    await answer();
    expect(draw(subject, 1).answered).toBeNull();
    await answer();
    expect(draw(subject, 2)).toMatchObject({ answered: { content: subject.content }, pending: null });
  });

  test('of an earlier problem stays until PATIENCE_MS', async () => {
    const { draw, answer } = setUp();
    const one = subjectOf('view', 1, 1);
    draw(one, 0);
    await answer();
    draw(one, 1);
    const two = subjectOf('view', 2, 1);
    expect(draw(two, 10).answered?.revision).toBe(1);
    expect(draw(two, 10 + ANSWER_PATIENCE_MS)).toMatchObject({ answered: null, pending: { status: 'asking' } });
    await answer();
    expect(draw(two, 500).answered?.revision).toBe(2);
  });

  test('of an earlier problem does not stay longer during further edits', async () => {
    const { draw, answer } = setUp();
    const one = subjectOf('view', 1, 1);
    draw(one, 0);
    await answer();
    draw(one, 1);
    expect(draw(subjectOf('view', 2, 1), 10).answered?.revision).toBe(1);
    expect(draw(subjectOf('view', 3, 1), 150).answered?.revision).toBe(1);
    expect(draw(subjectOf('view', 4, 1), 220).answered).toBeNull();
  });

  test('next to a view that is behind has the revision of the view', async () => {
    const { draw, answer } = setUp();
    const one = subjectOf('cell', 1, 1);
    draw(one, 0, true, 1);
    await answer();
    draw(one, 1, true, 1);
    // The next problem has arrived and is asked about, but is not drawn yet.
    const two = subjectOf('cell', 2, 1);
    expect(draw(two, 10, true, 1).answered?.revision).toBe(1);
    await answer();
    expect(draw(two, 20, true, 1).answered?.revision).toBe(1);
    expect(draw(two, 30, true, 2)).toMatchObject({ answered: { revision: 2 } });
    // Missing answers are gaps, not values of the previous problem.
    const three = subjectOf('cell', 3, 1);
    const late = draw(three, 40, true, 3);
    expect(late.answered?.revision).toBe(3);
    expect(late.answered?.answers.of('partial')).toHaveLength(0);
  });

  test('is not drawn next to another revision', () => {
    const { draw } = setUp();
    expect(draw(subjectOf('cell', 2, 1), 0, true, 1).answered).toBeNull();
  });

  test('of another view is never shown', async () => {
    const { draw, answer } = setUp();
    const one = subjectOf('steps', 1, 1);
    draw(one, 0);
    await answer();
    draw(one, 1);
    expect(draw(subjectOf('lowering', 1, 2), 2).answered).toBeNull();
  });

  test('shows each requested step while scrubbing, then requests the latest', async () => {
    const { client, draw, answer } = setUp();
    const frames = [1, 2, 3, 4].map((steps) => subjectOf('view', 1, steps));
    const [first, second, third, last] = frames;
    if (!first || !second || !third || !last) throw new Error('four frames');
    draw(first, 0);
    draw(second, 10);
    draw(third, 20);
    await answer();
    expect(draw(last, 30).answered?.content.steps).toBe(1);
    await answer();
    expect(draw(last, 40).answered?.content.steps).toBe(4);
    expect(client.asked).toHaveLength(2);
  });

  test('with fillsIn shows partial answers and progress after PATIENCE_MS', async () => {
    const { draw, answer } = setUp();
    const subject = subjectOf('check', 1, 1, 4);
    draw(subject, 0, true);
    await answer();
    const { answered, pending } = draw(subject, ANSWER_PATIENCE_MS, true);
    expect(answered?.answers.of('partial')).toHaveLength(1);
    expect(pending).toEqual({ status: 'asking', phase: '', fraction: 0.25 });
  });

  test('after Cancel has gaps, and can be retried', async () => {
    const { questions, draw, answer } = setUp();
    const dx = subjectOf('check', 1, 1, 2);
    draw(dx, 0, true);
    await answer();
    await answer();
    draw(dx, 1, true);
    const dw = subjectOf('check', 1, 2, 2);
    draw(dw, 10, true);
    questions.cancel(1, dw.questions);
    await Promise.resolve();
    const cancelled = draw(dw, 20, true);
    expect(cancelled).toMatchObject({ answered: { content: dw.content }, pending: { status: 'cancelled' } });
    expect(cancelled.answered?.answers.of('partial')).toHaveLength(0);
    questions.retry(1, dw.questions);
    await answer();
    await answer();
    expect(draw(dw, 30, true).answered?.answers.of('partial')).toHaveLength(2);
  });
});

test('every answer is drawn with the content that it was asked with', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('edit' as const) }),
    fc.record({ do: fc.constant('choose' as const), steps: fc.nat(5) }),
    fc.record({ do: fc.constant('open' as const), of: fc.constantFrom('steps', 'check', 'lowering') }),
    fc.record({ do: fc.constantFrom('answer' as const, 'cancel' as const, 'displace' as const, 'retry' as const) }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.nat(400) }),
  );
  const walk = fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.boolean(), async (steps, fillsIn) => {
    const { client, questions, draw, answer } = setUp();
    let now = 0;
    let subject = subjectOf('steps', 1, 0, 3);
    const { of, revision, content } = subject;
    let chosen = { of: of as string, revision, steps: content.steps };
    let edited = 0;
    for (const each of steps) {
      if (each.do === 'edit') chosen = { ...chosen, revision: chosen.revision + 1 };
      if (each.do === 'choose') chosen = { ...chosen, steps: each.steps };
      if (each.do === 'open') chosen = { ...chosen, of: each.of };
      if (each.do === 'answer') await answer();
      if (each.do === 'cancel') questions.cancel();
      if (each.do === 'displace' && client.busy) await client.end({ status: 'dropped', why: 'superseded' });
      if (each.do === 'retry') questions.retry(subject.revision, subject.questions);
      if (each.do === 'wait') now += each.ms;
      await Promise.resolve();
      if (chosen.revision !== subject.revision) edited = now;
      if (chosen.revision !== subject.revision || chosen.steps !== subject.content.steps || chosen.of !== subject.of) {
        subject = subjectOf(chosen.of, chosen.revision, chosen.steps, 3);
      }
      const { answered } = draw(subject, now, fillsIn);
      if (!answered) continue;
      expect(answered.content.of).toBe(subject.of);
      expect(answered.content.revision).toBe(answered.revision);
      for (const { question, answer: given } of answered.answers.of('partial')) {
        expect(given).toEqual({ revision: answered.revision, question });
        expect(Math.floor(question.steps / 100)).toBe(answered.content.steps);
      }
      if (answered.revision !== subject.revision) expect(now - edited).toBeLessThan(ANSWER_PATIENCE_MS);
    }
  });
  await fc.assert(walk, { numRuns: 300 });
});
