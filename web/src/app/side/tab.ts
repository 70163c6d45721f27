import type { ComponentType } from 'preact';
import type { CommandContext } from '../../commands/command';
import type { SideId } from '../../look/look';
import type { ViewEvents } from '../../views/kit/scene';
import type { Page } from '../page';

export interface SideTabProps {
  readonly page: Page;
  readonly context: CommandContext;
  readonly events: ViewEvents;
}

export interface SideTab {
  readonly id: SideId;
  readonly title: string;
  readonly Component: ComponentType<SideTabProps>;
}
