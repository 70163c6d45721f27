import type { SizeName } from '../../protocol/problem';
import { workOf } from '../../protocol/shapes';
import { SIZES } from '../../protocol/size-table';
import type { Store } from '../../state/store-types';
import { Button } from '../../ui/controls/Button';
import { costWords, speedOf } from './cost-words';

/** As the controls call it: "kernel height". */
const nameOf = (field: string): string =>
  field === 'padding_mode' ? 'padding' : (SIZES[field as SizeName]?.label ?? field);

/** Asks for confirmation of an edit that is too expensive to compute automatically. */
export function CostNotice({ store }: { readonly store: Store }) {
  const draft = store.draft.value;
  if (!draft?.patch || draft.error.code !== 'costly') return null;
  const { patch, field, text } = draft;
  const work = workOf({ ...store.problem.value.desc, ...patch });
  return (
    <div class="notice" role="alert">
      <p>
        With {nameOf(field)} {text} the problem needs {costWords(work, speedOf(store.shown.value))}.
      </p>
      <Button onClick={() => store.setDesc(patch, { field, anyway: true })}>Compute anyway</Button>
      <Button onClick={store.dismissDraft}>Cancel</Button>
    </div>
  );
}
