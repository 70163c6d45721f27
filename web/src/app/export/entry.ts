import type { ComponentType } from 'preact';
import type { Page } from '../page';

export interface ExportProps {
  readonly page: Page;
  /** Where the keyboard was when it was asked for. */
  readonly at: Element | null;
}

export interface ExportEntry {
  readonly id: string;
  readonly title: string;
  readonly Component: ComponentType<ExportProps>;
}
