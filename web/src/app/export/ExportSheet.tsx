import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/controls/Button';
import { Tabs } from '../../ui/controls/Tabs';
import type { Page } from '../page/page';
import { Sheet } from '../page/Sheet';
import { EmbedEntry } from './EmbedEntry';
import { LatexEntry } from './LatexEntry';
import { AnimationEntry, FigureEntry } from './PictureEntries';
import './export.css';

interface ExportEntry {
  readonly id: string;
  readonly title: string;
  /** `at`: the element with the focus when the dialog was opened. */
  readonly Component: ComponentType<{ readonly page: Page; readonly at: Element | null }>;
}

/** All tabs of the export dialog. */
const EXPORTS: readonly [ExportEntry, ...ExportEntry[]] = [
  { id: 'picture', title: 'Figure', Component: FigureEntry },
  { id: 'animation', title: 'Animation', Component: AnimationEntry },
  { id: 'latex', title: 'LaTeX', Component: LatexEntry },
  { id: 'embed', title: 'Embed', Component: EmbedEntry },
];

/** The export dialog, with a tab per format. */
export function ExportSheet({ page, onClose }: { readonly page: Page; readonly onClose: () => void }) {
  const [chosen, choose] = useState(EXPORTS[0].id);
  const [at] = useState(() => document.activeElement);
  return (
    <Sheet title="Export" wide onClose={onClose}>
      <Tabs
        label="Export"
        selected={chosen}
        onSelect={choose}
        tabs={EXPORTS.map(({ id, title, Component }) => ({
          id,
          title,
          content: () => <Component key={id} page={page} at={at} />,
        }))}
      />
      <p class="export__print row">
        <Button onClick={() => print()}>Print this view</Button>
        <span class="note">On paper it has no controls.</span>
      </p>
    </Sheet>
  );
}
