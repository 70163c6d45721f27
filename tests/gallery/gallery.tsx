import '../../web/src/styles/index.css';
import '../../web/src/ui/elements.css';
import './gallery.css';
import { render } from 'preact';
import { startTheme } from '../../web/src/ui/theme';
import { Controls } from './controls';
import { Grids } from './grids';
import { Kit } from './panels';

// Every component of ui/ and views/shared in every state. tests/e2e/gallery.test.ts compares its pictures.

startTheme('auto');
const root = document.getElementById('gallery');
if (root)
  render(
    <>
      <Controls />
      <Grids />
      <Kit />
    </>,
    root,
  );
