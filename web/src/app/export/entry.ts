import type { ComponentType } from 'preact';
import type { Page } from '../page/page';

export interface ExportProps {
  readonly page: Page;
  /** Element with the focus when the dialog was opened. */
  readonly at: Element | null;
}

export interface ExportEntry {
  readonly id: string;
  readonly title: string;
  readonly Component: ComponentType<ExportProps>;
}
