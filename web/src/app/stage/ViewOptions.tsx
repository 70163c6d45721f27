import { PASSES, RESULT_OF } from '../../protocol/problem';
import { openOf } from '../../state/problem';
import type { Store } from '../../state/store';
import { rampGradient } from '../../ui/color-scale';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { MINUS } from '../../ui/numbers';
import { theme } from '../../ui/theme';
import type { Page } from '../page/page';
import { useCurrentView } from './current-view';
import './view-options.css';

/** Algorithms that the user chose; a click on one lets the library choose again. */
export function ForcedAlgorithms({ store }: { readonly store: Store }) {
  const { algorithms } = openOf(store.problem.value);
  return (
    <div class="forced">
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

const TRANSFERS = [
  { value: 'linear', label: 'linear', hint: 'color proportional to the value' },
  { value: 'root', label: '√', hint: 'square root: small values stay visible' },
] as const;

/** How values map to colors: one key for all grids with numbers, and the choice of the transfer function. */
export function ColorScaleField({ page: { look } }: { readonly page: Page }) {
  const { show } = useCurrentView();
  const transfer = show?.model.transfer.value ?? 'linear';
  return (
    <div
      class="color-scale row"
      title="Negative values are orange, positive values purple: the stronger, the nearer to the largest of their tensor."
    >
      <div class="color-scale__key row note" aria-hidden="true">
        <span>{MINUS}</span>
        <span
          class="color-scale__bar"
          style={{ backgroundImage: rampGradient(theme.value, { maxAbs: 1, ramp: 'signed', transfer }) }}
        />
        <span>+</span>
      </div>
      <Segmented
        label="color scale"
        quiet
        options={TRANSFERS}
        value={transfer}
        onChange={(value) => {
          look.transfer.value = value;
        }}
      />
    </div>
  );
}
