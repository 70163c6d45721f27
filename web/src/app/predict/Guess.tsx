import { useId, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/controls/Button';
import { refusal } from '../../ui/numbers';
import { Refusal } from '../../ui/Refusal';
import type { Attempt } from './predictor';

interface GuessProps {
  /** Of the hidden cell. */
  readonly name: string;
  readonly attempt: Attempt;
  /** By the names of cells. */
  readonly drafts: Map<string, string>;
  readonly onCheck: (text: string) => void;
}

/** Where one writes what a hidden number is. */
export function Guess({ name, attempt, drafts, onCheck }: GuessProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [why, setWhy] = useState<string | null>(null);
  const check = () => {
    const text = box.current?.value ?? '';
    const refused = text.trim() === '' ? 'Type a number first.' : refusal(text);
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
      <p class="predict__note">Three digits are enough.</p>
      <Refusal why={why} />
    </>
  );
}
