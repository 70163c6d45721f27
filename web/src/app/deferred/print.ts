import { type ThemeChoice, themeChoice } from '../../ui/theme';
import { stopMotion } from '../../views/shared/travel';
import './print.css';

/** Room for a view on landscape paper, in CSS pixels. */
const PAPER = { width: 980, height: 560 };
const MOST_ZOOM = 1.4;

/** Paper is light, a view fits on it, and its values are in their cells. */
let chosen: ThemeChoice = 'auto';
addEventListener('beforeprint', () => {
  stopMotion();
  chosen = themeChoice.peek();
  themeChoice.value = 'light';
  const { scrollWidth: width = 0, scrollHeight: height = 0 } = document.querySelector('.canvas--stage') ?? {};
  const zoom = Math.min(MOST_ZOOM, PAPER.width / width, PAPER.height / height);
  document.documentElement.style.setProperty('--print-zoom', String(zoom));
});
addEventListener('afterprint', () => {
  themeChoice.value = chosen;
});
