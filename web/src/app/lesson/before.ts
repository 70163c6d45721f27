/**
 * What the page showed before a lesson, kept by the tab: a page that is loaded again in the middle of one gives it back, too.
 * As a link, which leaves out what links leave out.
 */

const KEY = 'before-lesson';

interface Kept {
  readonly link: string;
  /** The step that was opened last: of another, which a link opened, this is not what was before it. */
  readonly at: string;
}

export function keepBefore(link: string, at: string): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ link, at } satisfies Kept));
  } catch {
    // Storage may be forbidden, or full: then it is known as long as the page.
  }
}

export function keptBefore(at: string | null): string | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<Kept> | null;
    return at !== null && kept?.at === at && typeof kept.link === 'string' ? kept.link : null;
  } catch {
    return null;
  }
}

export function forgetBefore(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // See keepBefore.
  }
}
