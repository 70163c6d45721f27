import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComputeClient } from '../../compute/client';
import type { Outcome } from '../../compute/outcome';
import type { ViewState } from '../../look/look';
import type {
  CompareRequest,
  CompareResult,
  GradientCheckRequest,
  GradientCheckResult,
} from '../../protocol/follow-ups';
import { type Answers, type Needs, NO_ANSWERS } from '../../views/kit/needs';
import type { Content } from '../../views/kit/scene';
import type { View } from '../../views/kit/view';
import { AnswerMemory } from './answer-memory';
import { StageMemory } from './stage-memory';

/** A problem, what was chosen in a view, and the answers to exactly these. */
export interface Answered {
  readonly view: View;
  readonly content: Content;
  readonly state: ViewState;
  readonly answers: Answers;
}

interface Asking {
  readonly client: ComputeClient;
  readonly view: View | null;
  readonly content: Content | null;
  readonly revision: number;
  readonly state: ViewState;
}

/** The latest picture for which all answers are there; null before the first. Old answers never meet new inputs. */
export function useAnswers({ client, view, content, revision, state }: Asking): Answered | null {
  const [answered, setAnswered] = useState<Answered | null>(null);
  // While one scrubs, questions overtake their answers: every frame of the same problem is still worth showing.
  const now = useRef({ view, revision });
  now.current = { view, revision };
  const [memory] = useState(newMemory);
  // A remembered answer may overtake one that is computed.
  const order = useRef({ asked: 0, shown: 0 });
  useEffect(() => {
    if (!view || !content) return;
    order.current.asked += 1;
    const turn = order.current.asked;
    void ask(client, memory, revision, view.needs(content.geometry, state)).then((answers) => {
      const timely = now.current.view === view && now.current.revision === revision && turn > order.current.shown;
      if (!answers || !timely) return;
      order.current.shown = turn;
      setAnswered({ view, content, state, answers });
    });
  }, [client, memory, view, content, revision, state]);
  return answered?.view === view ? answered : null;
}

type Question<R> = Omit<R, 'type' | 'revision'>;

interface Memory {
  readonly checks: AnswerMemory<Question<GradientCheckRequest>, GradientCheckResult>;
  readonly compares: AnswerMemory<Question<CompareRequest>, CompareResult>;
  readonly stages: StageMemory;
}

const newMemory = (): Memory => ({
  checks: new AnswerMemory(),
  compares: new AnswerMemory(),
  stages: new StageMemory(),
});

/** Null when a newer question took the place of this one. */
async function ask(
  client: ComputeClient,
  { checks, compares, stages }: Memory,
  revision: number,
  needs: Needs,
): Promise<Answers | null> {
  const { details, compare, gradientChecks = [] } = needs;
  const checking = gradientChecks.map((question, i) => {
    const lane = `gradient check ${i}`;
    return checks.ask(revision, question, () =>
      client.ask({ type: 'gradient_check', revision, ...question }, { lane }),
    );
  });
  const outcomes = await Promise.all([
    details && stages.ask(client, revision, details),
    compare && compares.ask(revision, compare, () => client.ask({ type: 'compare', revision, ...compare })),
  ]);
  const checked = await Promise.all(checking);
  const all = [...outcomes, ...checked];
  if (all.some((outcome) => outcome?.status === 'dropped')) return null;
  const failed = all.find((outcome) => outcome?.status === 'failed');
  return {
    ...NO_ANSWERS,
    details: resultOf(outcomes[0]),
    compare: resultOf(outcomes[1]),
    gradientChecks: checked.flatMap((outcome) => resultOf(outcome) ?? []),
    error: failed?.status === 'failed' ? failed.error : null,
  };
}

function resultOf<T>(outcome: Outcome<T> | undefined): T | null {
  return outcome?.status === 'done' ? outcome.result : null;
}
