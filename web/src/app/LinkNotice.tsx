import type { Missing } from '../link/field';
import { Button } from '../ui/controls/Button';

interface LinkNoticeProps {
  readonly complaints: readonly string[];
  readonly missing: readonly Missing[];
  readonly onDismiss: () => void;
}

/** What could not be read of a link, and what it could not carry. */
export function LinkNotice({ complaints, missing, onDismiss }: LinkNoticeProps) {
  const sentences = [...missing.map(missingSentence), ...complaints];
  return (
    <div class="notice" role="status">
      <ul class="notice__list">
        {sentences.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <Button onClick={onDismiss}>Dismiss</Button>
    </div>
  );
}

function missingSentence({ input, picture }: Missing): string {
  if (picture !== null) {
    const name = picture === '' ? 'a picture' : `the picture ${picture}`;
    return `${input} was ${name}, which a link cannot carry. Drop it here, or open it as an image, to see it; until then ${input} holds other numbers.`;
  }
  return `${input} was changed by hand in more cells than a link can carry: it is shown without these changes.`;
}
