import { isEnabled } from '../../commands/command';
import { COMMANDS } from '../../commands/list';
import { Button } from '../../ui/controls/Button';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { lazy } from '../../ui/lazy';
import type { SideTabProps } from './tab';

const allPasses = lazy(async () => (await import('./algorithms/AllPasses')).AllPasses);

/** The algorithm of each pass, and the alternatives. */
export function AlgorithmsTab({ page, context }: SideTabProps) {
  const AllPasses = allPasses();
  const race = COMMANDS.find(({ id }) => id === 'race');
  if (!AllPasses) return <LoadingNotice what="The list of algorithms" of={[allPasses]} />;
  return (
    <>
      {race && isEnabled(race, context) && (
        <p class="algorithms__race">
          <Button shortcut="R" onClick={() => race.run(context)}>
            Race them on this device
          </Button>
        </p>
      )}
      <AllPasses page={page} />
    </>
  );
}
