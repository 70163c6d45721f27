import { lazy } from '../../ui/lazy';
import { LoadingNotice } from '../../ui/notices';
import type { SideTabProps } from '../page/page';

const code = lazy(async () => (await import('./code/Code')).Code);

/** The problem as runnable code. */
export function CodeTab({ page }: SideTabProps) {
  const Code = code();
  return Code ? <Code page={page} /> : <LoadingNotice what="The code" of={[code]} />;
}
