// Stands in the page itself, before everything else: web/site/early-script.ts puts it there. It draws the page's first colours
// and, as long as the page has not started, says why not.

/** What the page cannot do without: all browsers since 2023 have it. WebAssembly the worker checks, with its SIMD. */
const NEEDED = { Worker: 'background workers', ResizeObserver: 'ResizeObserver', OffscreenCanvas: 'OffscreenCanvas' };

// Before the first paint, so that a dark page never flashes white; ui/theme.ts goes on from here.
try {
  const stored = localStorage.getItem('theme');
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
} catch {}

/** Once the page runs, the place for it is gone, and its own notices speak. */
function tell(text: string, lasting = false): void {
  const notice = document.getElementById('start');
  if (!notice) return;
  notice.textContent = text;
  notice.setAttribute('role', 'alert');
  // main.ts looks for the place by its name, and starts nothing without.
  if (lasting) notice.removeAttribute('id');
}

const DAMAGED =
  'The page did not start: a part of it arrived damaged, or this browser is too old for it. Load it again.';

addEventListener(
  'error',
  ({ target }) => {
    if (target === window) tell(DAMAGED);
    else if (location.protocol === 'file:')
      tell('The page was opened as a file. It computes only when it comes from a web server: npm run preview is one.');
    else if (target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet'))
      tell('A part of the page could not be fetched. Check the connection, then load the page again.', true);
  },
  true,
);
addEventListener('unhandledrejection', () => tell(DAMAGED));
// Before the page's scripts run, and after its markup is there.
document.addEventListener('readystatechange', () => {
  const missing = Object.entries(NEEDED).flatMap(([name, words]) => (name in window ? [] : [words]));
  if (missing.length > 0)
    tell(`This browser cannot show the page: it has no ${missing.join(', no ')}. Every browser since 2023 has.`, true);
});
