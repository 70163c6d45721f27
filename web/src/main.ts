// First: it declares the order of the CSS layers.
import './styles/index.css';
import { start } from './app/start';
// Last: if it is missing, the style sheet is incomplete.
import './styles/complete.css';

/**
 * embed.html, which any site may frame (site/embed-page.ts), or `?embed=MODE`: shows one view only. Moodle adds `embed=1` to the
 * address of an uploaded file in a frame, which is the whole page.
 */
const isEmbed = document.documentElement.dataset.embed ?? /embed(?!=1)/.test(location.search);

const isStyled = () => getComputedStyle(document.documentElement).getPropertyValue('--complete') !== '';

/**
 * `notice`: the element with the reason why the page has not started (boot/boot.ts), which also catches errors from
 * here.
 */
async function begin(root: HTMLElement, notice: HTMLElement): Promise<void> {
  // Scripts wait for style sheets. If a browser does not, this checks again after the load event.
  if (!isStyled()) await new Promise((resolve) => addEventListener('load', resolve));
  if (!isStyled()) throw new Error('the style sheet is incomplete');
  await (isEmbed ? (await import('./embed/start-embed')).startEmbed(root) : start(root));
  notice.remove();
}

const root = document.getElementById('app');
/** Missing if the page cannot start. */
const notice = document.getElementById('start');
if (root && notice) {
  // The boot script reports a page that has not begun after the load event.
  notice.dataset['begun'] = '';
  void begin(root, notice);
}
