import type { ComponentType } from 'preact';
import type { Hands } from '../../commands/command';
import type { SideId } from '../../look/look';
import type { SceneEvents } from '../../views/kit/scene';
import type { Page } from '../page';
import { AlgorithmsTab } from './AlgorithmsTab';
import { ExplainTab } from './ExplainTab';

export interface SideTabProps {
  readonly page: Page;
  readonly hands: Hands;
  readonly events: SceneEvents;
}

interface SideTab {
  readonly id: SideId;
  readonly title: string;
  readonly Component: ComponentType<SideTabProps>;
}

/** THE LIST of what can stand beside the stage. */
export const SIDE_TABS: readonly [SideTab, ...SideTab[]] = [
  { id: 'explain', title: 'Explain', Component: ExplainTab },
  { id: 'algorithms', title: 'Algorithms', Component: AlgorithmsTab },
];
