import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CommandContext } from '../../commands/command';
import { type AddressedCell, type Cell, INPUTS } from '../../protocol/problem';
import { cellAt } from '../../state/edits';
import { Late, LoadingNotice, ProgressBar } from '../../ui/notices';
import { observeSize } from '../../ui/observe-size';
import type { ViewEvents } from '../../views/shared/scene';
import { ViewModelProvider } from '../../views/shared/view-model';
import { deferred } from '../deferred/deferred';
import { keeping } from '../keep/keeping';
import { useLongRunning, useRestoreFocus } from '../page/hooks';
import type { Page } from '../page/page';
import { phaseText } from '../questions/answered-subject';
import { rooms, useCurrentView } from './current-view';
import { tabOfView, VIEW_PANEL, ViewsOfGroup } from './ViewTabs';
import './stage.css';

interface StageProps {
  readonly page: Page;
  readonly context: CommandContext;
}

/** The selected view: question, settings, panels, player. The header has the groups of views. */
export function Stage({ page, context }: StageProps) {
  const mode = page.look.mode.value;
  useRestoreFocus(mode, () => document.getElementById(tabOfView(page)));
  return (
    <main class="stage column tight" id="stage" tabIndex={-1}>
      <StageNotices page={page} />
      <Kept page={page} />
      <div class="stage__view column" role="tabpanel" id={VIEW_PANEL} aria-labelledby={tabOfView(page)}>
        <Mode key={mode} page={page} context={context} />
      </div>
      <StageActivity page={page} />
    </main>
  );
}

/** What was kept, and what has changed since. */
function Kept({ page }: { readonly page: Page }) {
  const { entry, show } = useCurrentView();
  const kept = page.kept.result.value;
  return (
    kept && (
      <Late part={keeping}>
        {({ KeptBar }) => <KeptBar page={page} kept={kept} view={entry.id} answers={show?.props.answers} />}
      </Late>
    )
  );
}

/** Without `context`, in an embed, a view is bare: it has only its own settings. */
export function Mode({ page, context }: { readonly page: Page; readonly context?: CommandContext }) {
  const { show, loader } = useCurrentView();
  const common = show && context ? deferred.loaded.value : null;
  const aside = page.look.hiddenParts.value;
  return (
    <>
      {context && <h2 class="stage__question soft">{loader()?.question}</h2>}
      <div class="stage__settings row wrap loose">
        {context && <ViewsOfGroup page={page} />}
        <div class="stage__choices row wrap loose">
          {show?.view.Settings && !aside.includes('choices') && (
            <ViewModelProvider value={show.model}>
              <show.view.Settings {...show.props} />
            </ViewModelProvider>
          )}
        </div>
        {common && <common.NetworkBar page={page} />}
        {common && <common.ForcedAlgorithms store={page.store} />}
      </div>
      <Panels page={page} bare={!context} />
      <div class="dock">
        {show?.view.Player && !page.look.noHintYet.value && !aside.includes('player') && (
          <ViewModelProvider value={show.model}>
            <show.view.Player {...show.props} />
          </ViewModelProvider>
        )}
        {common && context && <common.SideButton page={page} context={context} />}
      </div>
    </>
  );
}

function Panels({ page: { store, look }, bare }: { readonly page: Page; readonly bare: boolean }) {
  const { show, room, loader, pending, cancel, retry } = useCurrentView();
  const element = useRef<HTMLDivElement>(null);
  const { status } = store.progress.value;
  // The panels still show the previous problem.
  const long = useLongRunning(status === 'computing') || status === 'stopped';
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const measure = () => {
      const next = rooms.of(target);
      if (next.width !== room.peek()?.width || next.height !== room.peek()?.height) room.value = next;
    };
    measure();
    const stop = observeSize(target, measure);
    window.addEventListener('resize', measure);
    return () => {
      stop();
      window.removeEventListener('resize', measure);
    };
  }, [room]);
  const layout = show?.model.layout.value;
  const PendingLine = pending && deferred.loaded.value?.PendingLine;
  return (
    <div ref={element} class={long ? 'stage__room stage__room--late' : 'stage__room'}>
      <LoadingNotice of={loader} />
      {PendingLine && (
        <PendingLine
          pending={pending}
          // In an embed the host controls the view and the hidden values.
          look={bare ? undefined : look}
          onElsewhere={
            bare || [...look.locked.value, ...look.hiddenParts.value].includes('mode.board')
              ? undefined
              : () => {
                  look.mode.value = 'board';
                }
          }
          cancel={cancel}
          retry={retry}
        />
      )}
      {show && layout && (
        <div
          class={`canvas canvas--${layout.arrangement}`}
          data-waits={show.props.state !== show.props.wanted}
          style={layout.arrangement === 'stage' ? { height: `${layout.height}px` } : {}}
        >
          <ViewModelProvider value={show.model}>
            <show.view.Component {...show.props} />
          </ViewModelProvider>
        </div>
      )}
    </div>
  );
}

export function StageNotices({ page }: { readonly page: Page }) {
  const { store, address } = page;
  const { status } = store.progress.value;
  const refusal = store.draft.value?.error.code;
  const anything =
    address.faulty.value ||
    address.missing.value.length > 0 ||
    refusal === 'costly' ||
    refusal === 'out_of_memory' ||
    status === 'failed' ||
    status === 'stopped';
  const Notices = anything && deferred()?.Notices;
  return Notices ? <Notices page={page} /> : null;
}

export function StageActivity({ page: { store, client, status, address } }: { readonly page: Page }) {
  const { worker, activity } = status.value;
  // Questions show their progress in the panel that waits for the answer.
  const busy = store.progress.value.status === 'computing' || (activity !== null && activity.type !== 'question');
  const long = useLongRunning(busy || address.reading.value > 0);
  if (!long) return null;
  const name = worker === 'starting' ? 'Loading the compute engine' : phaseText(activity?.phase ?? '');
  return (
    <div class="activity overlay">
      <ProgressBar
        label={busy ? name : 'Opening the link'}
        fraction={activity && activity.fraction > 0 ? activity.fraction : null}
        onCancel={busy ? () => client.cancel() : undefined}
      />
    </div>
  );
}

/**
 * What user actions on the views do: the only layer between a panel and the store. `onGuess`: a value was typed into a hidden cell, and is
 * being checked.
 */
export const createViewEvents = (
  page: Page,
  onGuess?: (place: AddressedCell, written: string) => void,
  { store, look, address } = page,
  pointAt = (cell: Cell | null) => deferred.loaded.peek()?.pointAt(page, cell),
): ViewEvents => ({
  // Focus only previews a cell: moving through y must not change dy. The pointer, Space and Enter choose it.
  onHover(cell, isFocus) {
    look.hover(cell);
    if (!isFocus) pointAt(cell ?? look.pinned.peek());
  },
  onMove(cell) {
    look.move(cell);
    pointAt(look.pinned.peek());
  },
  onPick(cell) {
    look.togglePin(cell);
    pointAt(cell);
  },
  onEdit(place, value) {
    const { tensor, index, geometry } = place;
    if (look.hiddenCells.peek().some((one) => one.tensor === tensor && (one.index ?? index) === index)) {
      look.pinAndShow({ tensor, index });
      deferred.loaded.peek()?.predictorOf(page).check(geometry, { tensor, index }, String(value));
      onGuess?.(place, String(value));
      return;
    }
    const input = INPUTS.find((name) => name === tensor);
    if (input) store.setCells(cellAt(input, { index }, geometry), value);
  },
  onFocus: look.setFocus,
  onDesc: (patch) => store.setDesc(patch),
  onLink: (link) => void address.open(link, 'example'),
  onLoss: (loss, geometry) => store.setLoss(loss, { geometry }),
  onTarget: (file) => deferred.loaded.peek()?.imageActionsOf(page).openTarget(file, file.name),
  onUseValues: (values, geometry) => deferred.loaded.peek()?.imageActionsOf(page).take(values, geometry),
  onNetwork: (act) => deferred.loaded.peek()?.changeNetwork(page, act),
  onPaint: (indices, value, geometry, gesture) =>
    store.setCells({ tensor: 'dy', indices, geometry }, value, { gesture }),
});
