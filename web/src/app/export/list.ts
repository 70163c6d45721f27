import { AnimationEntry } from './animation/AnimationEntry';
import { EmbedEntry } from './embed/EmbedEntry';
import type { ExportEntry } from './entry';
import { FigureEntry } from './figure/FigureEntry';
import { LatexEntry } from './latex/LatexEntry';

/** All tabs of the export dialog. */
export const EXPORTS: readonly [ExportEntry, ...ExportEntry[]] = [
  { id: 'picture', title: 'Figure', Component: FigureEntry },
  { id: 'film', title: 'Animation', Component: AnimationEntry },
  { id: 'latex', title: 'LaTeX', Component: LatexEntry },
  { id: 'embed', title: 'Embed', Component: EmbedEntry },
];
