import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { CommandContext } from '../commands/command';
import type { Cell } from '../protocol/cell';
import { INPUTS } from '../protocol/tensors';
import { cellAt } from '../state/addressed-cells';
import { LoadingNotice } from '../ui/LoadingNotice';
import { lazy } from '../ui/lazy';
import type { ViewEvents } from '../views/kit/scene';
import { ControlColumn } from './controls/ControlColumn';
import type { ImageActions } from './image-actions';
import type { Page } from './page';
import { CurrentViewProvider, useLoadedView } from './stage/current-view';
import { Stage } from './stage/Stage';
import { useWide } from './use-wide';

interface ColumnsProps {
  readonly page: Page;
  readonly context: CommandContext;
}

/** Loaded after the first render. */
const sidePanel = lazy(async () => (await import('./side/SidePanel')).SidePanel);
/** Replaces all columns while it is open. */
const raceRoom = lazy(async () => (await import('./race/RaceRoom')).RaceRoom);
/** A second problem in place of the side panel. */
const comparison = lazy(async () => (await import('./compare/Comparison')).Comparison);
/** Replaces the columns on a narrow page. */
const phone = lazy(() => import('./phone/phone'));

/** Controls, view and side panel; a narrow page has a strip and a bottom sheet instead. */
export function Columns({ page, context }: ColumnsProps) {
  const tapped = useSignal<Cell | null>(null);
  const events = useMemo(() => createEvents(page, tapped), [page, tapped]);
  const currentView = useLoadedView(page, events);
  const wide = useWide();
  const side = { page, context, events };
  const RaceRoom = page.look.race.value === null ? null : raceRoom();
  const Comparison = page.look.with.value === null ? null : comparison();
  const SidePanel = wide && !Comparison ? sidePanel() : null;
  const narrow = wide ? null : phone();
  const hasControls = !page.look.absent.value.includes('controls');
  return (
    <CurrentViewProvider value={currentView}>
      <LoadingNotice what={page.look.race.value === null ? 'The comparison' : 'The race'} of={[raceRoom, comparison]} />
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
                <LoadingNotice what="This panel" of={[sidePanel, phone]} />
              </div>
            )}
          </>
        )}
      </div>
    </CurrentViewProvider>
  );
}

const withImageActions = (page: Page, act: (actions: ImageActions) => void): void =>
  void import('./image-actions').then(
    ({ imageActionsOf: picturesOf }) => act(picturesOf(page)),
    () => undefined,
  );

/** User actions on the views. Every cell that is picked is written to `tapped`. */
export const createEvents = (page: Page, tapped: Signal<Cell | null>, { store, look, address } = page): ViewEvents => ({
  onHover: look.hover,
  onMove: look.move,
  onPick(cell) {
    look.togglePin(cell);
    tapped.value = { ...cell };
  },
  onEdit: ({ tensor, index, geometry }, value) => {
    if (look.masked.peek().some((one) => one.tensor === tensor && (one.index ?? index) === index)) {
      look.pinAndShow({ tensor, index });
      // If it fails to load, the panel of the visited cell says so.
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
  onTarget: (file) => withImageActions(page, (actions) => actions.openTarget(file, file.name)),
  onUseValues: (values, geometry) => withImageActions(page, (actions) => actions.take(values, geometry)),
  onPaint: (indices, value, geometry, gesture) =>
    store.setCells({ tensor: 'dy', indices, geometry }, value, { gesture }),
});
