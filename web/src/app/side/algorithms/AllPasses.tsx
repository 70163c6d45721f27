import { PASSES } from '../../../protocol/problem';
import type { Page } from '../../page/page';
import { PendingLine } from '../../questions/PendingLine';
import { PassAlgorithms } from './PassAlgorithms';
import { useAlgorithms } from './use-algorithms';
import { VARIANTS } from './words';

/** The algorithm and the time of each pass, and the alternatives. */
export function AllPasses({
  page: { store, client, status },
}: {
  readonly page: Pick<Page, 'store' | 'client' | 'status'>;
}) {
  const { result, lists, pending, cancel, retry } = useAlgorithms(client, store.shown.value);
  const { algorithms: forced } = store.problem.value;
  const draft = store.draft.value;
  const { variant } = status.value;
  if (!result) return null;
  return (
    <>
      {PASSES.map((pass) => {
        const run = result.runs[pass];
        return (
          run && (
            <PassAlgorithms
              key={pass}
              pass={pass}
              run={run}
              algorithms={lists?.[pass] ?? []}
              forced={forced[pass] ?? null}
              refusal={draft?.field === pass ? draft.error.message : null}
              onChoose={(name) => store.setAlgorithm(pass, name)}
            />
          )
        );
      })}
      <PendingLine pending={pending} onCancel={cancel} onRetry={retry} />
      <div class="algorithms__key">
        <p>
          Costs are estimates for one thread and packed weights. The library chooses the same algorithm for any number
          of threads, so results are bit-identical.
        </p>
        <p>
          Error bound: |computed − exact| ≤ bound × Σ|a·b|, the sum of the absolute products and bias of the value.
          Winograd mixes neighboring outputs, so its bound uses the largest possible sum instead. That is the largest
          product times the number of terms, plus the largest bias. A NaN or infinity affects its whole Winograd tile (2
          × 2 or 4 × 4 values).
        </p>
        {variant && <p>{VARIANTS[variant]}.</p>}
      </div>
    </>
  );
}
