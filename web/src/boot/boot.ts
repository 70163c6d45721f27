// Inlined into the page before all other scripts by web/site/boot-script.ts. Sets the theme and reports why the page
// has not started.

/** Required features; all browsers since 2023 have them. The worker checks WebAssembly SIMD. */
const NEEDED = { Worker: 'background workers', ResizeObserver: 'ResizeObserver', OffscreenCanvas: 'OffscreenCanvas' };

// Before the first paint, so that a dark page does not flash white. ui/theme.ts does the rest.
try {
  // As in storage/storage.ts. Earlier versions had the key without the prefix.
  const stored = localStorage.getItem('conv2d playground theme') ?? localStorage.getItem('theme');
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
} catch {}

/** Does nothing after the start of the page, which removes the element. */
function tell(text: string, lasting = false): void {
  const notice = document.getElementById('start');
  if (!notice) return;
  notice.textContent = text;
  notice.setAttribute('role', 'alert');
  // main.ts starts nothing if there is no element with this id.
  if (lasting) notice.removeAttribute('id');
}

const DAMAGED = 'The page did not start: a file is damaged, or this browser is too old. Reload the page.';

addEventListener(
  'error',
  ({ target }) => {
    if (target === window) tell(DAMAGED);
    else if (location.protocol === 'file:')
      tell(
        'The page was opened as a file, but it needs a web server: npm run preview. Without one: npm run build -- --single',
      );
    else if (target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet'))
      tell('A part of the page failed to load. Check your connection, then reload the page.', true);
  },
  true,
);
addEventListener('unhandledrejection', () => tell(DAMAGED));
// Scripts run before the load event. A script that is cut between two statements fails without an error.
addEventListener('load', () => {
  const notice = document.getElementById('start');
  if (notice && notice.dataset.begun === undefined && !notice.hasAttribute('role')) tell(DAMAGED);
});
// After the markup is parsed and before the scripts of the page run.
document.addEventListener('readystatechange', () => {
  const missing = Object.entries(NEEDED).flatMap(([name, words]) => (name in window ? [] : [words]));
  if (missing.length > 0)
    tell(
      `This browser cannot show the page: it has no ${missing.join(', no ')}. Use a browser from 2023 or later.`,
      true,
    );
});
