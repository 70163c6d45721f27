import './skip-link.css';

/** First stop of Tab: skips header and controls. Does not navigate, because the hash of the URL holds the problem. */
export const SkipLink = () => (
  // biome-ignore lint/a11y/useValidAnchor: a jump within the page, and screen reader users expect a link
  <a
    class="skip"
    href="#stage"
    onClick={(event) => {
      event.preventDefault();
      document.getElementById('stage')?.focus();
    }}
  >
    Skip to content
  </a>
);
