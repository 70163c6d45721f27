import type { QuestionClient } from '../../../web/src/compute/questions';
import type { Outcome, QuestionRequest, QuestionResult } from '../../../web/src/protocol/messages';

/** A client with a worker that answers one question at a time, when the test calls `answer`. */
export class SlowClient implements QuestionClient {
  readonly asked: QuestionRequest[] = [];
  #running: { readonly request: QuestionRequest; readonly end: (outcome: Outcome<QuestionResult>) => void } | null =
    null;

  readonly ask: QuestionClient['ask'] = ((request: QuestionRequest) => {
    this.asked.push(request);
    return new Promise<Outcome<QuestionResult>>((end) => {
      this.#running = { request, end };
    });
  }) as never;

  readonly stopQuestion = (): void => void this.end({ status: 'dropped', why: 'cancelled' });

  get busy(): boolean {
    return this.#running !== null;
  }

  async end(outcome: Outcome<QuestionResult>): Promise<void> {
    const running = this.#running;
    this.#running = null;
    running?.end(outcome);
    for (let i = 0; i < 4; i += 1) await Promise.resolve();
  }

  /** Answers the current question. */
  async answer(answerOf: (request: QuestionRequest) => unknown): Promise<void> {
    if (!this.#running) return;
    const answer = answerOf(this.#running.request) as QuestionResult['answer'];
    await this.end({ status: 'done', result: { type: 'question', answer } });
  }
}
