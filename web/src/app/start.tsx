import { render } from 'preact';
import { readLink } from '../link/read-link';
import { startTheme } from '../ui/theme';
import { App } from './App';
import { createPage } from './page';

/** Puts the page into an element of the document. */
export async function start(root: HTMLElement): Promise<void> {
  startTheme();
  const opened = await readLink(window.location.hash);
  render(<App page={createPage(window, opened)} />, root);
}
