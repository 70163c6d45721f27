import { useState } from 'preact/hooks';
import { Button } from '../../ui/controls/Button';
import { Refusal } from '../../ui/notices';
import type { Page } from '../page/page';
import { comparisonLinkOf, type OtherLink, pastedLink } from './other-problem';

/** Chooses the second problem. */
export function OtherProblemForm({ page: { look, address } }: { readonly page: Page }) {
  const [pasted, setPasted] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const open = (read: Promise<OtherLink>) =>
    read.then(
      (found) => {
        if ('complaint' in found) setRefusal(found.complaint);
        else look.with.value = found.link;
      },
      () => setRefusal('Part of the page failed to load. Try again.'),
    );
  return (
    <aside class="compare__beginning" aria-label="The other problem">
      <p>Choose a second problem. Both sides share the view and the cursor: a cell that you hover is marked on both.</p>
      <div>
        <Button kind="primary" onClick={() => void open(comparisonLinkOf(address.seen()))}>
          Compare with a copy
        </Button>
        <p class="compare__note">The copy does not change when you edit your problem: before and after.</p>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void open(pastedLink(pasted));
        }}
      >
        <label>
          or paste a link of this page
          <input
            type="text"
            value={pasted}
            spellcheck={false}
            autocomplete="off"
            placeholder={`${location.host}/#h=7&kh=3&stride=2`}
            onInput={(event) => setPasted(event.currentTarget.value)}
          />
        </label>
        <Button onClick={() => void open(pastedLink(pasted))}>Open link</Button>
      </form>
      <Refusal why={refusal} />
    </aside>
  );
}
