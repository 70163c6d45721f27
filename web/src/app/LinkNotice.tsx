import { useRef } from 'preact/hooks';
import type { Missing } from '../link/field';
import { Button } from '../ui/controls/Button';
import { costWords, speedOf } from './cost-words';
import type { Page } from './page';
import './link-notice.css';

/** What could not be read of a link, to be corrected or tried again, and what it could not carry. */
export function LinkNotice({ address, store }: Pick<Page, 'address' | 'store'>) {
  const faulty = address.faulty.value;
  const costs = faulty?.costs ?? null;
  const sentences = [
    ...address.missing.value.map(missingSentence),
    ...address.complaints.value,
    ...(costs
      ? [`The link was not opened yet: its problem takes ${costWords(costs, speedOf(store.shown.value))}.`]
      : []),
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
          <Button onClick={() => void address.open(faulty.hash, faulty.kind, false, faulty.carried)}>Try again</Button>
          {location.hash === `#${faulty.hash}` && (
            <Button onClick={() => location.reload()}>Load the page again</Button>
          )}
        </>
      )}
      {faulty && costs && (
        <Button onClick={() => void address.open(faulty.hash, faulty.kind, true, faulty.carried)}>
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

/** More of a link than anybody would correct by hand: the address has it all. */
const MOST_SHOWN = 4000;

/** The link as it is in the address, to be changed here. */
function Correction({ hash, onGo }: CorrectionProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  if (hash.length > MOST_SHOWN) return null;
  const go = () => onGo(field.current?.value.trim() ?? '');
  return (
    <div class="link-notice__correction">
      <label>
        The link, to be corrected
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
      <Button onClick={go}>Open it</Button>
    </div>
  );
}

function missingSentence({ input, picture, numbers }: Missing): string {
  if (numbers !== undefined) {
    return `${input} was brought from outside (${numbers}), in more numbers than a link can carry. Open or paste them again to see them; until then ${input} holds other numbers.`;
  }
  if (picture !== null) {
    const name = picture === '' ? 'a picture' : `the picture ${picture}`;
    return `${input} was ${name}, which a link cannot carry. Drop it here, or open it as an image, to see it; until then ${input} holds other numbers.`;
  }
  return `${input} was changed by hand in more cells than a link can carry: it is shown without these changes.`;
}
