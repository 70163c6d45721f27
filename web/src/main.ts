// First, so that the order of the layers is declared before anything is put into one.
import './styles/index.css';
import { start } from './app/start';
// Last: where it is missing, the style sheet did not arrive whole.
import './styles/complete.css';

/** The copy of the page that any site may show in a frame (site/embed-page.ts), or `?embed=MODE`: one mode, nothing around it. */
const isEmbed = document.documentElement.dataset.embed ?? location.search.includes('embed');

const isStyled = () => getComputedStyle(document.documentElement).getPropertyValue('--complete') !== '';

/** `notice` says why the page has not started (early/early.ts), which is told of all that is thrown, and goes when it has. */
async function begin(root: HTMLElement, notice: HTMLElement): Promise<void> {
  // Scripts wait for style sheets. Should an engine not, there is another look when everything has been fetched.
  if (!isStyled()) await new Promise((resolve) => addEventListener('load', resolve));
  if (!isStyled()) throw new Error('the style sheet is not whole');
  await (isEmbed ? (await import('./embed/start-embed')).startEmbed(root) : start(root));
  notice.remove();
}

const root = document.getElementById('app');
/** It is not there when the page cannot start. */
const notice = document.getElementById('start');
if (root && notice) void begin(root, notice);
