import { EmbedEntry } from './embed/EmbedEntry';
import type { ExportEntry } from './entry';
import { FilmEntry } from './film/FilmEntry';
import { LatexEntry } from './latex/LatexEntry';
import { PictureEntry } from './picture/PictureEntry';

/** THE LIST of what can be taken away from the page. */
export const EXPORTS: readonly [ExportEntry, ...ExportEntry[]] = [
  { id: 'picture', title: 'Picture', Component: PictureEntry },
  { id: 'film', title: 'Animation', Component: FilmEntry },
  { id: 'latex', title: 'LaTeX', Component: LatexEntry },
  { id: 'embed', title: 'Embed', Component: EmbedEntry },
];
