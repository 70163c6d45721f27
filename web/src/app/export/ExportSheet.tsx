import { useState } from 'preact/hooks';
import { Tabs } from '../../ui/controls/Tabs';
import type { Page } from '../page/page';
import { Sheet } from '../page/Sheet';

import { EXPORTS } from './list';

interface ExportSheetProps {
  readonly page: Page;
  readonly onClose: () => void;
}

/** The export dialog, with a tab per format. */
export function ExportSheet({ page, onClose }: ExportSheetProps) {
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
    </Sheet>
  );
}
