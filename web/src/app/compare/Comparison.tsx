import { useEffect, useRef, useState } from 'preact/hooks';
import { encoded } from '../../link/text';
import { Button } from '../../ui/controls/Button';
import { Refusal } from '../../ui/notices';
import type { Page } from '../page/page';
import { Stage } from '../stage/Stage';
import { CompareIframe } from './CompareIframe';
import { Differences } from './Differences';
import { comparisonLinkOf, NOT_LOADED, type OtherLink, pastedLink, useOtherProblem } from './other-problem';
import './compare.css';

/** The page's own view, with a second problem beside it in an iframe. */
export function Comparison({ page }: { readonly page: Page }) {
  const { look, address } = page;
  const link = look.with.value ?? '';
  const { known, complaint, retry } = useOtherProblem(link);
  const [said, say] = useState<string | null>(null);
  const room = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The control with the focus was removed or is covered by a closing dialog.
    const { activeElement: active } = document;
    if (active === null || active === document.body) room.current?.focus({ preventScroll: true });
  }, []);
  const swap = async () => {
    const mine = await comparisonLinkOf(address.seen());
    if ('complaint' in mine) return say(mine.complaint);
    say(null);
    await address.open(`${link}&mode=${look.mode.peek()}&with=${encoded(mine.link)}`);
  };
  const geometry = known?.link === link ? (known.result?.geometry ?? null) : null;
  return (
    <div ref={room} class="compare" tabIndex={-1}>
      <section class="compare__head" aria-labelledby="compare-title">
        <div class="compare__bar">
          <h2 id="compare-title">Two problems side by side</h2>
          {link !== '' && <Button onClick={() => void swap()}>Swap</Button>}
          {link !== '' && (
            <Button
              onClick={() => {
                look.with.value = '';
              }}
            >
              Choose another
            </Button>
          )}
          <Button
            shortcut="C"
            onClick={() => {
              look.with.value = null;
            }}
          >
            Close comparison
          </Button>
          <Refusal why={said} />
        </div>
        {known && <Differences page={page} other={known.other} result={known.result} outdated={known.link !== link} />}
        {complaint && (
          <div class="notice notice--wrong" role="status">
            <p>{complaint}</p>
            <Button onClick={retry}>Try again</Button>
          </div>
        )}
        {known?.failure && (
          <div class="notice notice--wrong" role="status">
            <p>The results were not compared: {known.failure}.</p>
            <Button onClick={retry}>Try again</Button>
          </div>
        )}
      </section>
      <div class="compare__columns">
        <Stage page={page} />
        {link === '' ? (
          <OtherProblemForm page={page} />
        ) : (
          <CompareIframe page={page} link={link} geometry={geometry} say={say} />
        )}
      </div>
    </div>
  );
}

/** Chooses the second problem. */
function OtherProblemForm({ page: { look, address } }: { readonly page: Page }) {
  const [pasted, setPasted] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const open = (read: Promise<OtherLink>) =>
    read.then(
      (found) => {
        if ('complaint' in found) setRefusal(found.complaint);
        else look.with.value = found.link;
      },
      () => setRefusal(NOT_LOADED),
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
