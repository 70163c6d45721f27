import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import type { SideTabProps } from './tab';

/** Comes when somebody asks for it. */
const allPasses = late(async () => (await import('./algorithms/AllPasses')).AllPasses);

/** Who computed what is on the stage, and who else could have. */
export function AlgorithmsTab({ page }: SideTabProps) {
  const AllPasses = allPasses();
  return AllPasses ? <AllPasses page={page} /> : <LateNotice what="What stands here" of={[allPasses]} />;
}
