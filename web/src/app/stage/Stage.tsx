import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { useScrollRow } from '../../ui/scroll-row';
import { ViewModelProvider } from '../../views/kit/view-model';
import type { Page } from '../page/page';
import { useRestoreFocus } from '../page/use-restore-focus';
import { useWide } from '../page/use-wide';
import { second } from '../second/second';
import { Activity } from './Activity';
import { useCurrentView } from './current-view';
import { rooms } from './room';
import { useLongRunning } from './use-long-running';
import { tabOfView, VIEW_PANEL, ViewGroups, ViewsOfGroup } from './ViewTabs';
import './stage.css';

interface StageProps {
  readonly page: Page;
}

/** The selected view: settings, panels, player. On a wide page the header has the groups of views. */
export function Stage({ page }: StageProps) {
  const mode = page.look.mode.value;
  const wide = useWide();
  useRestoreFocus(mode, () => document.getElementById(tabOfView(page)));
  return (
    <main class="stage" id="stage" tabIndex={-1}>
      <StageNotices page={page} />
      {!wide && <ViewGroups page={page} />}
      <div class="stage__view" role="tabpanel" id={VIEW_PANEL} aria-labelledby={tabOfView(page)}>
        <Mode key={mode} page={page} views={<ViewsOfGroup page={page} />} />
      </div>
      <StageActivity page={page} />
    </main>
  );
}

interface ModeProps extends StageProps {
  readonly bare?: boolean | undefined;
  /** Before the settings. */
  readonly views?: ComponentChildren;
}

/** `bare`: without the settings that every view has. */
export function Mode({ page, bare, views }: ModeProps) {
  const { show } = useCurrentView();
  const common = show && !bare ? second.loaded.value : null;
  // On a phone the player stays at the bottom of the window, so it has room for nothing else.
  const wide = useWide();
  const choices = useRef<HTMLDivElement>(null);
  useScrollRow(choices);
  return (
    <>
      <div class="stage__settings">
        {views}
        <div ref={choices} class="stage__choices">
          {show?.view.Settings && (
            <ViewModelProvider value={show.model}>
              <show.view.Settings {...show.props} />
            </ViewModelProvider>
          )}
        </div>
        {common && <common.ForcedAlgorithms store={page.store} />}
        {common && !wide && <common.ColorScaleField page={page} />}
      </div>
      <Panels page={page} bare={bare} />
      <div class="dock">
        {show?.view.Player && (
          <ViewModelProvider value={show.model}>
            <show.view.Player {...show.props} />
          </ViewModelProvider>
        )}
        {common && wide && <common.ColorScaleField page={page} />}
      </div>
    </>
  );
}

/** The panels, laid out in the available space. */
function Panels({ page: { store, look }, bare }: ModeProps) {
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
    let frame = 0;
    // In the next frame: rendering during a resize callback may change the size again.
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    });
    observer.observe(target);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      window.removeEventListener('resize', measure);
    };
  }, [room]);
  const layout = show?.model.layout.value;
  const PendingLine = pending && second.loaded.value?.PendingLine;
  return (
    <div ref={element} class={long ? 'stage__room stage__room--late' : 'stage__room'}>
      <LoadingNotice what="This view" of={[loader]} />
      {PendingLine && (
        <PendingLine
          pending={pending}
          // In an embed the host controls the view and the hidden values.
          look={bare ? undefined : look}
          onElsewhere={
            bare || [...look.locked.value, ...look.absent.value].includes('mode.board')
              ? undefined
              : () => {
                  look.mode.value = 'board';
                }
          }
          onCancel={cancel}
          onRetry={retry}
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

/** Messages above the views. */
export function StageNotices({ page }: StageProps) {
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
  const Notices = anything && second()?.Notices;
  return Notices ? <Notices page={page} /> : null;
}

export function StageActivity({ page: { store, client, status, address } }: StageProps) {
  const computing = store.progress.value.status === 'computing';
  return (
    <Activity
      status={status.value}
      computing={computing}
      reading={address.reading.value > 0}
      onCancel={() => client.cancel()}
    />
  );
}
