import { useState } from 'preact/hooks';
import { Button } from '../../ui/controls/Button';
import { Refusal } from '../../ui/Refusal';
import type { Page } from '../page';
import { linkOf, type OtherLink, pastedLink } from './other';

/** Which problem stands beside this one. */
export function Beginning({ page: { look, address } }: { readonly page: Page }) {
  const [pasted, setPasted] = useState('');
  const [why, setWhy] = useState<string | null>(null);
  const open = (read: Promise<OtherLink>) =>
    read.then(
      (found) => {
        if ('complaint' in found) setWhy(found.complaint);
        else look.with.value = found.link;
      },
      () => setWhy('It was not opened: a part of the page could not be fetched. Try again.'),
    );
  return (
    <aside class="compare__beginning" aria-label="The other problem">
      <p>
        A second problem stands here, with the same view and the same cursor: what you point at on one side is marked on
        the other.
      </p>
      <div>
        <Button kind="primary" onClick={() => void open(linkOf(address.seen()))}>
          Put a copy of this one here
        </Button>
        <p class="compare__note">The copy stays as it is while you change your own: before and after.</p>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void open(pastedLink(pasted));
        }}
      >
        <label>
          or a link of this page
          <input
            type="text"
            value={pasted}
            spellcheck={false}
            autocomplete="off"
            placeholder={`${location.host}/#h=7&kh=3&stride=2`}
            onInput={(event) => setPasted(event.currentTarget.value)}
          />
        </label>
        <Button onClick={() => void open(pastedLink(pasted))}>Open it here</Button>
      </form>
      <Refusal why={why} />
    </aside>
  );
}
