import type { Page } from '../page/page';
import { CostNotice } from './CostNotice';
import { FailureNotice } from './FailureNotice';
import { LinkNotice } from './LinkNotice';
import { StoppedNotice } from './StoppedNotice';
import { UndoneNotice } from './UndoneNotice';

/** Link errors, requests for confirmation, and failures. */
export function Notices({ page: { store, client, address } }: { readonly page: Page }) {
  const progress = store.progress.value;
  const draft = store.draft.value;
  return (
    <>
      {(address.faulty.value || address.missing.value.length > 0) && <LinkNotice address={address} store={store} />}
      <CostNotice store={store} />
      {draft?.refused && draft.error.code === 'out_of_memory' && <UndoneNotice store={store} />}
      {progress.status === 'stopped' && <StoppedNotice store={store} />}
      {progress.status === 'failed' && (
        <FailureNotice
          error={progress.error}
          onRelease={progress.error.field === 'algorithm' ? store.clearAlgorithms : null}
          onReset={() => void address.open('')}
          onRetry={() => {
            // Restarts a worker that failed to start; a running worker is idle now.
            client.cancel();
            store.retry();
          }}
        />
      )}
    </>
  );
}
