import { isEnabled } from '../../commands/command';
import { COMMANDS } from '../../commands/list';
import { Button } from '../../ui/controls/Button';
import type { SideTabProps } from '../page/page';
import { AllPasses } from './algorithms/AllPasses';

/** The algorithm of each pass, and the alternatives. */
export function AlgorithmsTab({ page, context }: SideTabProps) {
  const race = COMMANDS.find(({ id }) => id === 'race');
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
