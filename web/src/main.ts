// First, so that the order of the layers is declared before anything is put into one.
import './styles/index.css';
import { start } from './app/start';

const root = document.getElementById('app');
if (root) start(root);
