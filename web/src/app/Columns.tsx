import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Hands } from '../commands/command';
import type { Cell } from '../protocol/cell';
import { cellAt } from '../state/addressed';
import type { InputName } from '../state/problem';
import { LateNotice } from '../ui/LateNotice';
import { late } from '../ui/late';
import type { SceneEvents } from '../views/kit/scene';
import { ControlColumn } from './controls/ControlColumn';
import type { Page } from './page';
import type { Pictures } from './pictures';
import { Stage } from './stage/Stage';
import { StagedProvider, useStage } from './stage/staged';
import { useWide } from './use-wide';

interface ColumnsProps {
  readonly page: Page;
  readonly hands: Hands;
}

/** The first picture speaks for itself: the words come right after it. */
const sidePanel = late(async () => (await import('./side/SidePanel')).SidePanel);
/** Stands in the place of all columns while it is open. */
const raceRoom = late(async () => (await import('./race/RaceRoom')).RaceRoom);
/** Puts another problem beside the stage, in the place of the side panel. */
const comparison = late(async () => (await import('./compare/Comparison')).Comparison);
/** What a narrow page has instead of columns. */
const phone = late(() => import('./phone/phone'));

/** Controls, stage and side panel: stage and panel draw parts of the same mode. A narrow page has a strip and a sheet. */
export function Columns({ page, hands }: ColumnsProps) {
  const tapped = useSignal<Cell | null>(null);
  const events = useMemo(() => createEvents(page, tapped), [page, tapped]);
  const staged = useStage(page, events);
  const wide = useWide();
  const side = { page, hands, events };
  const RaceRoom = page.look.race.value === null ? null : raceRoom();
  const Comparison = page.look.with.value === null ? null : comparison();
  const SidePanel = wide && !Comparison ? sidePanel() : null;
  const narrow = wide ? null : phone();
  const hasControls = !page.look.absent.value.includes('controls');
  return (
    <StagedProvider value={staged}>
      <LateNotice what="This room" of={[raceRoom, comparison]} />
      <div class="app__columns">
        {RaceRoom ? (
          <RaceRoom page={page} />
        ) : (
          <>
            {wide ? (
              hasControls ? (
                <ControlColumn page={page} />
              ) : (
                <div />
              )
            ) : narrow ? (
              <narrow.Strip page={page} />
            ) : (
              <div class="strip" />
            )}
            {Comparison ? <Comparison page={page} /> : <Stage page={page} />}
            {SidePanel && <SidePanel {...side} />}
            {narrow && <narrow.PhoneSheet {...side} tapped={tapped} />}
            {!SidePanel && !Comparison && !narrow && (
              <div class="side">
                <LateNotice what="What stands here" of={[sidePanel, phone]} />
              </div>
            )}
          </>
        )}
      </div>
    </StagedProvider>
  );
}

const INPUTS: readonly InputName[] = ['x', 'w', 'b', 'dy'];

const pictures = (page: Page, act: (desk: Pictures) => void): void =>
  void import('./pictures').then(
    ({ picturesOf }) => act(picturesOf(page)),
    () => undefined,
  );

/** What a person does to the page's pictures; `tapped` hears of every cell that is picked. */
export const createEvents = (
  page: Page,
  tapped: Signal<Cell | null>,
  { store, look, address } = page,
): SceneEvents => ({
  onHover: look.hover,
  onMove: look.move,
  onPick(cell) {
    look.toggle(cell);
    tapped.value = { ...cell };
  },
  onEdit: ({ tensor, index, geometry }, value) => {
    if (look.masked.peek().some((one) => one.tensor === tensor && (one.index ?? index) === index)) {
      look.visit({ tensor, index });
      // What is fetched for the cell that is visited now: where it is missing, that is said there.
      import('./predict/predictions').then(
        ({ predictorOf }) => predictorOf(page).check(geometry, { tensor, index }, String(value)),
        () => undefined,
      );
      return;
    }
    const input = INPUTS.find((name) => name === tensor);
    if (input) store.setCells(cellAt(input, { index }, geometry), value);
  },
  onFocus: look.setFocus,
  onDesc: (patch) => store.setDesc(patch),
  onLink: (link) => void address.open(link, 'example'),
  onDy: (source, geometry) => store.setDySource(source, { geometry }),
  // What takes them is there since pictures can be dropped on the page.
  onTarget: (file) => pictures(page, (desk) => desk.openTarget(file, file.name)),
  onTake: (values, geometry) => pictures(page, (desk) => desk.take(values, geometry)),
  onPaint: (indices, value, geometry, gesture) =>
    store.setCells({ tensor: 'dy', indices, geometry }, value, { gesture }),
});
