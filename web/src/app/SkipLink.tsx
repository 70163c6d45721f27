import './skip-link.css';

/** The first stop of Tab: past bar and controls. The address is the problem's: no fragment of it is spent on the way. */
export const SkipLink = () => (
  // biome-ignore lint/a11y/useValidAnchor: a jump within the page, and called a link by those who jump
  <a
    class="skip"
    href="#stage"
    onClick={(event) => {
      event.preventDefault();
      document.getElementById('stage')?.focus();
    }}
  >
    Skip to the stage
  </a>
);
