import { isEnabled } from '../../commands/command';
import { COMMANDS } from '../../commands/list';
import { Button } from '../../ui/controls/Button';
import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import type { SideTabProps } from './tab';

/** Comes when somebody asks for it. */
const allPasses = late(async () => (await import('./algorithms/AllPasses')).AllPasses);

/** Who computed what is on the stage, and who else could have. */
export function AlgorithmsTab({ page, hands }: SideTabProps) {
  const AllPasses = allPasses();
  const race = COMMANDS.find(({ id }) => id === 'race');
  if (!AllPasses) return <LateNotice what="What stands here" of={[allPasses]} />;
  return (
    <>
      {race && isEnabled(race, hands) && (
        <p class="algorithms__race">
          <Button shortcut="R" onClick={() => race.run(hands)}>
            Race them on this device
          </Button>
        </p>
      )}
      <AllPasses page={page} />
    </>
  );
}
