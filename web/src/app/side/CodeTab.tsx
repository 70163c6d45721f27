import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import type { SideTabProps } from './tab';

/** Comes when somebody asks for it. */
const code = late(async () => (await import('./code/Code')).Code);

/** What is on the stage as code that one can run. */
export function CodeTab({ page }: SideTabProps) {
  const Code = code();
  return Code ? <Code page={page} /> : <LateNotice what="The code" of={[code]} />;
}
