import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PATIENCE_MS, PictureKeeper, type Subject } from '../../../web/src/app/questions/picture-keeper';
import { Questions } from '../../../web/src/compute/questions';
import { SlowClient } from './fake-questions';

const frame = (steps: number) => ({ kind: 'partial', process: 'forward', steps }) as const;

type Content = { readonly of: string; readonly revision: number; readonly steps: number };

function subjectOf(of: string, revision: number, steps: number, count = 1): Subject<Content> {
  const questions = Array.from({ length: count }, (_, i) => frame(steps * 100 + i));
  return { of, revision, content: { of, revision, steps }, questions };
}

function setUp() {
  const client = new SlowClient();
  const questions = new Questions(client);
  const keeper = new PictureKeeper<Content>(questions);
  /** What a component does: looks, then says what it needs. */
  const draw = (subject: Subject<Content>, now: number, fillsIn = false, beside: number | null = null) => {
    const kept = keeper.next(subject, { fillsIn, beside }, now);
    questions.want(keeper, kept.asked.revision, kept.asked.questions);
    return kept;
  };
  /** The answer tells what it is an answer to. */
  const answer = () => client.answer(({ revision, question }) => ({ revision, question }));
  return { client, questions, keeper, draw, answer };
}

describe('a picture', () => {
  test('is drawn when all its answers are there', async () => {
    const { draw, answer } = setUp();
    const subject = subjectOf('view', 1, 1, 2);
    expect(draw(subject, 0).picture).toBeNull();
    await answer();
    expect(draw(subject, 1).picture).toBeNull();
    await answer();
    expect(draw(subject, 2)).toMatchObject({ picture: { content: subject.content }, pending: null });
  });

  test('of an earlier problem stays for a moment and no longer', async () => {
    const { draw, answer } = setUp();
    const one = subjectOf('view', 1, 1);
    draw(one, 0);
    await answer();
    draw(one, 1);
    const two = subjectOf('view', 2, 1);
    expect(draw(two, 10).picture?.revision).toBe(1);
    expect(draw(two, 10 + PATIENCE_MS)).toMatchObject({ picture: null, pending: { status: 'asking' } });
    await answer();
    expect(draw(two, 500).picture?.revision).toBe(2);
  });

  test('of an earlier problem does not stay longer because one goes on editing', async () => {
    const { draw, answer } = setUp();
    const one = subjectOf('view', 1, 1);
    draw(one, 0);
    await answer();
    draw(one, 1);
    expect(draw(subjectOf('view', 2, 1), 10).picture?.revision).toBe(1);
    expect(draw(subjectOf('view', 3, 1), 150).picture?.revision).toBe(1);
    expect(draw(subjectOf('view', 4, 1), 220).picture).toBeNull();
  });

  test('beside a stage that is behind is of the problem on the stage, and goes on with it', async () => {
    const { draw, answer } = setUp();
    const one = subjectOf('cell', 1, 1);
    draw(one, 0, true, 1);
    await answer();
    draw(one, 1, true, 1);
    // The next problem is there, and asked about, but not drawn yet.
    const two = subjectOf('cell', 2, 1);
    expect(draw(two, 10, true, 1).picture?.revision).toBe(1);
    await answer();
    expect(draw(two, 20, true, 1).picture?.revision).toBe(1);
    expect(draw(two, 30, true, 2)).toMatchObject({ picture: { revision: 2 } });
    // What has no answer yet has gaps rather than the numbers of the problem before.
    const three = subjectOf('cell', 3, 1);
    const late = draw(three, 40, true, 3);
    expect(late.picture?.revision).toBe(3);
    expect(late.picture?.answers.of('partial')).toHaveLength(0);
  });

  test('that was never drawn does not begin beside another problem', () => {
    const { draw } = setUp();
    expect(draw(subjectOf('cell', 2, 1), 0, true, 1).picture).toBeNull();
  });

  test('of another view never stands in', async () => {
    const { draw, answer } = setUp();
    const one = subjectOf('steps', 1, 1);
    draw(one, 0);
    await answer();
    draw(one, 1);
    expect(draw(subjectOf('lowering', 1, 2), 2).picture).toBeNull();
  });

  test('while one scrubs, each frame that was asked for is shown, and then the latest is asked for', async () => {
    const { client, draw, answer } = setUp();
    const frames = [1, 2, 3, 4].map((steps) => subjectOf('view', 1, steps));
    const [first, second, third, last] = frames;
    if (!first || !second || !third || !last) throw new Error('four frames');
    draw(first, 0);
    draw(second, 10);
    draw(third, 20);
    await answer();
    expect(draw(last, 30).picture?.content.steps).toBe(1);
    await answer();
    expect(draw(last, 40).picture?.content.steps).toBe(4);
    expect(client.asked).toHaveLength(2);
  });

  test('that fills in shows what there is once patience is over, and says how far it is', async () => {
    const { draw, answer } = setUp();
    const subject = subjectOf('check', 1, 1, 4);
    draw(subject, 0, true);
    await answer();
    const { picture, pending } = draw(subject, PATIENCE_MS, true);
    expect(picture?.answers.of('partial')).toHaveLength(1);
    expect(pending).toEqual({ status: 'asking', phase: '', fraction: 0.25 });
  });

  test('after Cancel is that of what was chosen, with gaps, and can be asked for again', async () => {
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
    expect(cancelled).toMatchObject({ picture: { content: dw.content }, pending: { status: 'cancelled' } });
    expect(cancelled.picture?.answers.of('partial')).toHaveLength(0);
    questions.retry(1, dw.questions);
    await answer();
    await answer();
    expect(draw(dw, 30, true).picture?.answers.of('partial')).toHaveLength(2);
  });
});

test('whatever happens, every answer stands beside the content that it was asked with', async () => {
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
      const { picture } = draw(subject, now, fillsIn);
      if (!picture) continue;
      expect(picture.content.of).toBe(subject.of);
      expect(picture.content.revision).toBe(picture.revision);
      for (const { question, answer: given } of picture.answers.of('partial')) {
        expect(given).toEqual({ revision: picture.revision, question });
        expect(Math.floor(question.steps / 100)).toBe(picture.content.steps);
      }
      if (picture.revision !== subject.revision) expect(now - edited).toBeLessThan(PATIENCE_MS);
    }
  });
  await fc.assert(walk, { numRuns: 300 });
});
