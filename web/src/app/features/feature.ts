import type { ComponentType } from 'preact';
import type { CommandContext, SheetName } from '../../commands/command';
import type { SideId } from '../../look/look';
import type { Lazy } from '../../ui/lazy';
import type { Examples } from '../examples/examples';
import type { Page, SideTabProps } from '../page/page';

/** What the parts of the page share. */
export interface PartProps {
  readonly page: Page;
  readonly context: CommandContext;
  readonly examples: Examples;
}

export interface SheetProps extends PartProps {
  readonly onClose: () => void;
}

/** A tab of the side panel or a dialog, with all of its code in a folder of its own. */
export interface Feature {
  /** In links, of its command, and of what a link locks or hides. */
  readonly id: SideId | SheetName;
  readonly tab?: { readonly title: string; readonly Component: ComponentType<SideTabProps> };
  readonly sheet?: Lazy<ComponentType<SheetProps>>;
}
