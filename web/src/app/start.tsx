import { render } from 'preact';
import { startTheme } from '../ui/theme';
import { App } from './App';
import { createPage } from './page';

/** Puts the page into an element of the document. */
export function start(root: HTMLElement): void {
  startTheme();
  render(<App page={createPage(window)} />, root);
}
