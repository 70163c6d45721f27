import type { ComponentType } from 'preact';
import type { Hands } from '../../commands/command';
import type { SideId } from '../../look/look';
import type { SceneEvents } from '../../views/kit/scene';
import type { Page } from '../page';

export interface SideTabProps {
  readonly page: Page;
  readonly hands: Hands;
  readonly events: SceneEvents;
}

export interface SideTab {
  readonly id: SideId;
  readonly title: string;
  readonly Component: ComponentType<SideTabProps>;
}
