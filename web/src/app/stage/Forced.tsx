import { PASSES } from '../../protocol/problem';
import type { Store } from '../../state/store-types';
import { Button } from '../../ui/controls/Button';
import { MAKES } from '../makes';
import './forced.css';

/** Algorithms that somebody chose for the library, each released by a click. */
export function Forced({ store }: { readonly store: Store }) {
  const { algorithms } = store.problem.value;
  return (
    <div class="forced">
      {PASSES.map((pass) => {
        const name = algorithms[pass];
        return (
          name !== undefined && (
            <button
              key={pass}
              type="button"
              class="forced__release"
              title={`You chose ${name} for ${MAKES[pass]}. Click to let the library choose again.`}
              onClick={() => store.setAlgorithm(pass, null)}
            >
              <span class="symbol">{MAKES[pass]}</span> by {name}
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

/** An edit of the problem that an algorithm chosen before does not allow. A choice that is refused says so where it is made. */
function Refusal({ store }: { readonly store: Store }) {
  const draft = store.draft.value;
  if (draft?.error.field !== 'algorithm' || PASSES.some((pass) => pass === draft.field)) return null;
  return (
    <div class="forced__refusal" role="alert">
      <p>The change was taken back: {draft.error.message}. Let the library choose, and it is made.</p>
      <Button onClick={store.releaseAlgorithms}>Let the library choose</Button>
      <Button onClick={store.dismissDraft}>Close</Button>
    </div>
  );
}
