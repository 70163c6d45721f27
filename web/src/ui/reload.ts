/** Reloads the page. Saves the last edits first (persist/persister.ts): after `pagehide` it can be too late. */
export function reload(): void {
  window.dispatchEvent(new Event('leaving'));
  location.reload();
}
