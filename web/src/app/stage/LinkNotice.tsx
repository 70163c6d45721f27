import { useRef } from 'preact/hooks';
import type { MissingInput } from '../../link/field';
import { Button } from '../../ui/controls/Button';
import type { Page } from '../page/page';
import { costWords, speedOf } from './cost-words';
import './link-notice.css';

/** Errors of a link, with ways to edit it or retry, and the inputs that it could not hold. */
export function LinkNotice({ address, store }: Pick<Page, 'address' | 'store'>) {
  const faulty = address.faulty.value;
  const costs = faulty?.costs ?? null;
  const sentences = [
    ...address.missing.value.map(missingSentence),
    ...address.complaints.value,
    ...(costs ? [`The link was not opened: its problem needs ${costWords(costs, speedOf(store.shown.value))}.`] : []),
  ];
  return (
    <div class="notice" role="status">
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
          {location.hash === `#${faulty.hash}` && <Button onClick={() => location.reload()}>Reload</Button>}
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

interface CorrectionProps {
  readonly hash: string;
  readonly onGo: (hash: string) => void;
}

/** Characters. Longer links are not offered for editing. */
const MAX_EDITABLE = 4000;

/** A text box to correct the link. */
function Correction({ hash, onGo }: CorrectionProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  if (hash.length > MAX_EDITABLE) return null;
  const go = () => onGo(field.current?.value.trim() ?? '');
  return (
    <div class="link-notice__correction">
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
