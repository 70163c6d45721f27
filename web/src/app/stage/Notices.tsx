import { CostNotice } from '../CostNotice';
import { Failure } from '../Failure';
import { LinkNotice } from '../LinkNotice';
import type { Page } from '../page';
import { Stopped } from '../Stopped';
import { TakenBack } from '../TakenBack';

/** What a link could not say, what waits for a word, and what failed. */
export function Notices({ page: { store, client, address } }: { readonly page: Page }) {
  const progress = store.progress.value;
  const draft = store.draft.value;
  return (
    <>
      {(address.faulty.value || address.missing.value.length > 0) && <LinkNotice address={address} store={store} />}
      <CostNotice store={store} />
      {draft?.refused && draft.error.code === 'out_of_memory' && <TakenBack store={store} />}
      {progress.status === 'stopped' && <Stopped store={store} />}
      {progress.status === 'failed' && (
        <Failure
          error={progress.error}
          onRelease={progress.error.field === 'algorithm' ? store.releaseAlgorithms : null}
          onReset={() => void address.open('')}
          onRetry={() => {
            // Restarts a worker that did not start; one that runs has nothing to cancel now.
            client.cancel();
            store.retry();
          }}
        />
      )}
    </>
  );
}
