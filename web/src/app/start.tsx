import { render } from 'preact';
import { readLink } from '../link/read-link';
import { startTheme } from '../ui/theme';
import { App } from './App';
import { createPage } from './page';

/** Puts the page into an element of the document. */
export function start(root: HTMLElement): void {
  startTheme();
  void readLink(window.location.hash).then((opened) => render(<App page={createPage(window, opened)} />, root));
}
