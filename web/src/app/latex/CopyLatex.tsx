import { useState } from 'preact/hooks';
import './copy-latex.css';

interface CopyLatexProps {
  /** What is copied, for who does not see where it stands: "this sum". */
  readonly what: string;
  readonly latex: () => string;
}

/** Small beside what it copies. */
export function CopyLatex({ what, latex }: CopyLatexProps) {
  const [said, say] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(latex());
      say('Copied.');
    } catch {
      say('The browser did not allow copying.');
    }
  };
  return (
    <p class="copy-latex">
      <button type="button" class="copy-latex__button" onClick={() => void copy()}>
        Copy {what} as LaTeX
      </button>
      <span role="status">{said}</span>
    </p>
  );
}
