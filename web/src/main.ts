import { start } from './app/start';

const root = document.getElementById('app');
if (root) start(root);
