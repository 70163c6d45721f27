import type { ComponentType } from 'preact';
import type { CommandContext } from '../../commands/command';
import type { SideId } from '../../look/look';
import type { Cell } from '../../protocol/cell';
import type { ViewEvents } from '../../views/kit/scene';
import type { Page } from './page';

export interface SideTabProps {
  readonly page: Page;
  readonly context: CommandContext;
  readonly events: ViewEvents;
}

/** `predicted`: the reader is asked for the number of this cell. */
export type ExplainTabComponent = ComponentType<SideTabProps & { readonly predicted?: Cell | undefined }>;

/** Lessons and exercises show the explanation of a cell below their text. */
export type StudyProps = SideTabProps & { readonly Explain: ExplainTabComponent };

export interface SideTab {
  readonly id: SideId;
  readonly title: string;
  readonly Component: ComponentType<SideTabProps>;
}
