import { render } from 'preact';
import { App } from './app/App';
import { createPage } from './app/page';
import { startTheme } from './ui/theme';

startTheme();
const root = document.getElementById('app');
if (root) render(<App page={createPage(window)} />, root);
