import { useRef } from 'preact/hooks';
import type { MissingInput } from '../../link/field';
import type { SizeName } from '../../protocol/problem';
import { type Work, workOf } from '../../protocol/shapes';
import { SIZES } from '../../protocol/size-table';
import type { Shown } from '../../state/exchange';
import type { Store } from '../../state/store';
import { Button } from '../../ui/controls/Button';
import { formatBytes, formatCount, sentence } from '../../ui/quantities';
import type { Page } from '../page/page';
import './notices.css';
import { reload } from '../../ui/reload';

/** Link errors, requests for confirmation, and failures. */
export function Notices({ page: { store, client, address } }: { readonly page: Page }) {
  const progress = store.progress.value;
  const draft = store.draft.value;
  const retry = () => {
    // Restarts a worker that failed to start; a running worker is idle now.
    client.cancel();
    store.retry();
  };
  return (
    <>
      {(address.faulty.value || address.missing.value.length > 0) && <LinkNotice address={address} store={store} />}
      <CostNotice store={store} />
      {draft?.refused && draft.error.code === 'out_of_memory' && (
        <div class="notice row wrap" role="alert">
          <p>Undone: not enough memory. Try a smaller problem, or close other tabs.</p>
          <Button onClick={store.dismissDraft}>Close</Button>
        </div>
      )}
      {progress.status === 'stopped' && (
        <div class="notice row wrap" role="status">
          <p>Computation stopped. Your change is kept, but the values below are from before it.</p>
          <Button onClick={store.retry}>Compute</Button>
          {store.canUndo.value && <Button onClick={store.undo}>Undo change</Button>}
        </div>
      )}
      {progress.status === 'failed' && (
        <div class="notice row wrap notice--wrong" role="alert">
          <p>{sentence(progress.error.message)}</p>
          {progress.error.field === 'algorithm' ? (
            <Button onClick={store.clearAlgorithms}>Let the library choose</Button>
          ) : (
            <Button onClick={retry}>Try again</Button>
          )}
          <Button onClick={() => void address.open('')}>Start over</Button>
        </div>
      )}
    </>
  );
}

/** As the controls call it: "kernel height". */
const nameOf = (field: string): string =>
  field === 'padding_mode' ? 'padding' : (SIZES[field as SizeName]?.label ?? field);

/** Asks for confirmation of an edit that is too expensive to compute automatically. */
function CostNotice({ store }: { readonly store: Store }) {
  const draft = store.draft.value;
  if (!draft?.patch || draft.error.code !== 'costly') return null;
  const { patch, field, text } = draft;
  const work = workOf({ ...store.layer.value.desc, ...patch });
  return (
    <div class="notice row wrap" role="alert">
      <p>
        With {nameOf(field)} {text} the problem needs {costWords(work, speedOf(store.shown.value))}.
      </p>
      <Button onClick={() => store.setDesc(patch, { field, anyway: true })}>Compute anyway</Button>
      <Button onClick={store.dismissDraft}>Cancel</Button>
    </div>
  );
}

/** Errors of a link, with ways to edit it or retry, and the inputs that it could not hold. */
function LinkNotice({ address, store }: Pick<Page, 'address' | 'store'>) {
  const faulty = address.faulty.value;
  const costs = faulty?.costs ?? null;
  const sentences = [
    ...address.missing.value.map(missingSentence),
    ...address.complaints.value,
    ...(costs ? [`The link was not opened: its problem needs ${costWords(costs, speedOf(store.shown.value))}.`] : []),
  ];
  return (
    <div class="notice row wrap" role="status">
      <ul class="notice__list">
        {sentences.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {faulty?.unread && (
        <>
          <Button onClick={() => void address.open(faulty.hash, faulty.kind, false, faulty.knownInputs)}>
            Try again
          </Button>
          {location.hash === `#${faulty.hash}` && <Button onClick={reload}>Reload</Button>}
        </>
      )}
      {faulty && costs && (
        <Button onClick={() => void address.open(faulty.hash, faulty.kind, true, faulty.knownInputs)}>
          Compute anyway
        </Button>
      )}
      {faulty && !faulty.unread && faulty.kind === 'link' && (
        <Correction key={faulty.hash} hash={faulty.hash} onGo={address.goTo} />
      )}
      <Button onClick={address.dismiss}>Dismiss</Button>
    </div>
  );
}

/** Characters. Longer links are not offered for editing. */
const MAX_EDITABLE = 4000;

function Correction({ hash, onGo }: { readonly hash: string; readonly onGo: (hash: string) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  if (hash.length > MAX_EDITABLE) return null;
  const go = () => onGo(field.current?.value.trim() ?? '');
  return (
    <div class="link-notice__correction row">
      <label>
        Edit the link
        <textarea
          ref={field}
          class="link-notice__link"
          rows={2}
          spellcheck={false}
          autocomplete="off"
          defaultValue={hash}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            go();
          }}
        />
      </label>
      <Button onClick={go}>Open link</Button>
    </div>
  );
}

function missingSentence({ input, image, numbers }: MissingInput): string {
  if (numbers !== undefined) {
    return `${input} was imported (${numbers}) and is too large for a link. Import it again; until then ${input} has other values.`;
  }
  if (image !== null) {
    const name = image === '' ? 'an image' : `the image ${image}`;
    return `${input} was ${name}, too large for a link. Drop or open it here; until then ${input} has other values.`;
  }
  return `The link does not contain the edits of ${input}: there are too many.`;
}

/** Multiply-adds. Fewer take less than the resolution of the clock. */
const MIN_MEASURABLE = 1e6;

/** Multiply-adds per second, measured on the shown problem; null if that is too small to measure. */
function speedOf(shown: Shown | null): number | null {
  if (!shown) return null;
  const { multiply_adds } = workOf(shown.desc);
  const times = Object.values(shown.runs).map(({ milliseconds }) => milliseconds);
  const seconds = times.reduce((sum, each) => sum + each, 0) / 1000;
  return multiply_adds >= MIN_MEASURABLE && seconds > 0 ? multiply_adds / seconds : null;
}

/** "12,080 million multiply-adds and 310 MiB, about 4 seconds on this machine" */
function costWords({ multiply_adds, bytes }: Work, speed: number | null): string {
  const millions = Math.max(1, Math.round(multiply_adds / 1e6));
  const needs = `${formatCount(millions)} million multiply-adds and ${formatBytes(bytes)}`;
  if (speed === null) return `${needs}, time unknown`;
  return `${needs}, about ${timeText(multiply_adds / speed)} on this machine`;
}

function timeText(seconds: number): string {
  if (seconds < 1.5) return 'a second';
  if (seconds < 90) return `${Math.round(seconds)} seconds`;
  return `${formatCount(Math.round(seconds / 60))} minutes`;
}
