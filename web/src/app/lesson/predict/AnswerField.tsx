import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { canHover } from '../../../ui/breakpoints';
import { Button } from '../../../ui/controls/Button';
import { RefusalNotice } from '../../../ui/notices';
import { predictionRefusal } from './predictor';
import './predict.css';

interface AnswerFieldProps {
  /** Before the box: "y[2,2] =". */
  readonly label: string;
  /** The text at first. */
  readonly written?: string;
  /** The keys of a touch keyboard: "numeric" has no minus sign. */
  readonly inputMode?: InputHTMLAttributes['inputMode'];
  readonly onInput?: (text: string) => void;
  /** Called with a text that can be an answer; others get a refusal below the box. */
  readonly onCheck: (text: string) => void;
  /** Between the box and the refusal. */
  readonly children?: ComponentChildren;
}

/** The text box for the answer to a question, with the button that checks it. */
export function AnswerField({ label, written = '', inputMode = 'text', onInput, onCheck, children }: AnswerFieldProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [why, setWhy] = useState<string | null>(null);
  useEffect(() => {
    // After Next. A touch keyboard would cover the step.
    if (canHover() && document.activeElement?.closest('.lesson__bar')) box.current?.focus({ preventScroll: true });
  }, []);
  const check = () => {
    const text = box.current?.value ?? '';
    const refused = predictionRefusal(text);
    setWhy(refused);
    if (!refused) onCheck(text);
  };
  return (
    <>
      <p class="predict__guess row wrap">
        <label for={id}>{label}</label>
        <input
          ref={box}
          id={id}
          type="text"
          inputMode={inputMode}
          autocomplete="off"
          placeholder="?"
          defaultValue={written}
          aria-invalid={why !== null}
          onInput={(event) => {
            onInput?.(event.currentTarget.value);
            setWhy(null);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // The right answer moves the focus to Next, which the same key would press.
            event.preventDefault();
            check();
          }}
        />
        <Button kind="primary" onClick={check}>
          Check
        </Button>
      </p>
      {children}
      <RefusalNotice why={why} />
    </>
  );
}
