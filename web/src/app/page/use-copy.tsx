import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { lazy } from '../../ui/lazy';
import { toClipboard } from './clipboard';
import './use-copy.css';

/** Characters. Longer texts are saved as files. */
const MAX_LENGTH = 2 ** 21;

export const COPY_BLOCKED = 'The browser blocked copying.';

/** Copies texts. `outcome` shows the result; if the clipboard refuses, it shows the text, selected. */
export function useCopy() {
  const [{ said, refused }, setOutcome] = useState<{ readonly said: string; readonly refused?: string }>({ said: '' });
  const say = useCallback((message: string) => setOutcome({ said: message }), []);
  /** "Link copied: 3,000 characters." `detail` follows "copied". */
  const copy = async (what: string, text: string | Promise<string>, detail = '') => {
    if (typeof text === 'string' && text.length > MAX_LENGTH)
      return say(
        `${what} is too large for the clipboard (${(text.length / 2 ** 20).toFixed(1)} MB). Save it as a file.`,
      );
    const copying = toClipboard(text);
    try {
      const written = await text;
      if (await copying) say(`${what} copied${detail}.`);
      else setOutcome({ said: `${COPY_BLOCKED} Copy the selected text yourself.`, refused: written });
    } catch {
      say('Nothing was copied: part of the page failed to load. Try again.');
    }
  };
  const outcome = (
    <div class="copying grid tight">
      <p role="status">{said}</p>
      {refused !== undefined && <SelectedText text={refused} />}
    </div>
  );
  return { copy, say, outcome };
}

/** A selected text for manual copying. */
export function SelectedText({ text }: { text: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: select each new text
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [text]);
  // `autofocus` for a dialog that opens with the text: showModal() sets the focus after this effect.
  return (
    <textarea
      ref={field}
      autofocus
      onFocus={(event) => event.currentTarget.select()}
      class="copying__text"
      aria-label="Text to copy"
      readOnly
      rows={3}
      spellcheck={false}
      value={text}
    />
  );
}

const latexWriter = lazy('LaTeX', () => import('../../snippets/latex'));

/** A small button. `what` it copies: "this sum". */
export function CopyLatex({
  what,
  latex,
}: {
  what: string;
  latex: (writer: typeof import('../../snippets/latex')) => string;
}) {
  const { copy, outcome } = useCopy();
  return (
    <div class="copy-latex row wrap caption">
      <button
        type="button"
        class="copy-latex__button"
        onClick={() => void copy('LaTeX', latexWriter.wait().then(latex))}
      >
        Copy {what} as LaTeX
      </button>
      {outcome}
    </div>
  );
}
