import { useId, useRef, useState } from 'preact/hooks';
import { Button } from '../../../ui/controls/Button';
import { Refusal } from '../../../ui/notices';
import { refusal } from '../../../ui/numbers';
import type { Attempt } from './predictor';

interface PredictionFieldProps {
  /** Name of the hidden cell. */
  readonly name: string;
  readonly attempt: Attempt;
  /** Texts that were typed, by cell name. */
  readonly drafts: Map<string, string>;
  readonly onCheck: (text: string) => void;
}

/** Characters. More than any float32 needs, and few enough for a link with the answers of a whole set. */
const MAX_LENGTH = 40;

/** Why a text cannot be an answer; null if it can. */
export function predictionRefusal(text: string): string | null {
  if (text.trim() === '') return 'Type a number first.';
  return text.trim().length > MAX_LENGTH
    ? `An answer has at most ${MAX_LENGTH} characters. Type fewer digits.`
    : refusal(text);
}

/** The text box for the prediction of a hidden value. */
export function PredictionField({ name, attempt, drafts, onCheck }: PredictionFieldProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [why, setWhy] = useState<string | null>(null);
  const check = () => {
    const text = box.current?.value ?? '';
    const refused = predictionRefusal(text);
    setWhy(refused);
    if (refused) return;
    drafts.delete(name);
    onCheck(text);
  };
  return (
    <>
      <p class="predict__guess">
        <label for={id}>{name} =</label>
        <input
          ref={box}
          id={id}
          type="text"
          inputMode="text"
          autocomplete="off"
          placeholder="?"
          defaultValue={drafts.get(name) ?? attempt.written ?? ''}
          aria-invalid={why !== null}
          onInput={(event) => {
            drafts.set(name, event.currentTarget.value);
            setWhy(null);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') check();
          }}
        />
        <Button kind="primary" onClick={check}>
          Check
        </Button>
      </p>
      <p class="predict__note">Three significant digits are enough.</p>
      <Refusal why={why} />
    </>
  );
}
