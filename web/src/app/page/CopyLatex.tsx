import { useCopy } from './use-copy';
import './copy-latex.css';

interface CopyLatexProps {
  /** What the button copies: "this sum". */
  readonly what: string;
  readonly latex: () => string;
}

/** A small button that copies LaTeX. */
export function CopyLatex({ what, latex }: CopyLatexProps) {
  const { copy, outcome } = useCopy();
  return (
    <div class="copy-latex">
      <button type="button" class="copy-latex__button" onClick={() => void copy('LaTeX', latex())}>
        Copy {what} as LaTeX
      </button>
      {outcome}
    </div>
  );
}
