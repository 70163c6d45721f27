import { PASSES, RESULT_OF } from '../../protocol/problem';
import type { Store } from '../../state/store';
import { Button } from '../../ui/controls/Button';
import './view-options.css';

/** Algorithms that the user chose; a click on one lets the library choose again. */
export function ForcedAlgorithms({ store }: { readonly store: Store }) {
  const { algorithms } = store.layer.value;
  return (
    <div class="forced wrap tight">
      {PASSES.map((pass) => {
        const name = algorithms[pass];
        return (
          name !== undefined && (
            <button
              key={pass}
              type="button"
              class="forced__release small"
              title={`You chose ${name} for ${RESULT_OF[pass]}. Click to let the library choose again.`}
              onClick={() => store.setAlgorithm(pass, null)}
            >
              <span class="symbol">{RESULT_OF[pass]}</span> by {name}
              <span aria-hidden="true"> ×</span>
              <span class="visually-hidden">: let the library choose again</span>
            </button>
          )
        );
      })}
      <Refusal store={store} />
    </div>
  );
}

/** An edit that the chosen algorithm does not support. A refused choice is reported in the Algorithms tab instead. */
function Refusal({ store }: { readonly store: Store }) {
  const draft = store.draft.value;
  if (draft?.error.field !== 'algorithm' || PASSES.some((pass) => pass === draft.field)) return null;
  return (
    <div class="forced__refusal row" role="alert">
      <p>The change was undone: {draft.error.message}. To apply it, let the library choose the algorithm.</p>
      <Button onClick={store.clearAlgorithms}>Let the library choose</Button>
      <Button onClick={store.dismissDraft}>Close</Button>
    </div>
  );
}
