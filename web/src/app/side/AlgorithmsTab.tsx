import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import type { SideTabProps } from './list';

/** Comes when somebody asks for it. */
const statusLine = late(async () => (await import('../StatusLine')).StatusLine);

/** Who computed what is on the stage, and in what time. */
export function AlgorithmsTab({ page: { store, status } }: SideTabProps) {
  const result = store.shown.value?.result;
  const StatusLine = statusLine();
  if (!StatusLine) return <LateNotice what="What stands here" of={[statusLine]} />;
  return result && <StatusLine result={result} variant={status.value.variant} />;
}
