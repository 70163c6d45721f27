import { useLayoutEffect, useRef } from 'preact/hooks';
import { Tabs } from '../../ui/controls/Tabs';
import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import { PictureProvider } from '../../views/kit/picture';
import { VIEWS } from '../../views/list';
import type { Page } from '../page';
import { keepers } from '../questions/use-picture';
import { useFoothold } from '../use-foothold';
import { useLong } from '../use-long';
import { rooms } from './room';
import { useStaged } from './staged';
import './stage.css';

/** What the first picture does not need comes when there is a use for it. */
const rowEnd = late(async () => (await import('./RowEnd')).RowEnd);
const activity = late(async () => (await import('../Activity')).Activity);
const pendingLine = late(async () => (await import('../questions/PendingLine')).PendingLine);
/** Comes with something to say. */
const notices = late(async () => (await import('./Notices')).Notices);

interface StageProps {
  readonly page: Page;
}

/** The modes as tabs, and the one that is chosen: its choices, its panels, its player. */
export function Stage({ page }: StageProps) {
  const { look } = page;
  const main = useRef<HTMLElement>(null);
  const mode = look.mode.value;
  useFoothold(mode, () => main.current?.querySelector<HTMLElement>(`[data-tab="${mode}"]`));
  return (
    <main ref={main} class="stage" id="stage" tabIndex={-1}>
      <StageNotices page={page} />
      <Tabs
        label="Modes"
        selected={mode}
        onSelect={(id) => {
          const chosen = VIEWS.find((entry) => entry.id === id);
          if (chosen && !look.locked.value.includes(`mode.${id}`)) look.mode.value = chosen.id;
        }}
        tabs={VIEWS.filter(({ id }) => id === mode || !look.absent.value.includes(`mode.${id}`)).map(
          ({ id, title }) => ({
            id,
            title,
            locked: id !== mode && look.locked.value.includes(`mode.${id}`),
            content: () => <Mode key={id} page={page} />,
          }),
        )}
      />
      <StageActivity page={page} />
    </main>
  );
}

/** `bare`: without what stands beside the choices of every mode. */
export function Mode({ page, bare }: StageProps & { readonly bare?: boolean }) {
  const { show } = useStaged();
  const RowEnd = show && !bare && rowEnd();
  return (
    <>
      <div class="stage__settings">
        <div class="stage__choices">
          {show?.view.Settings && (
            <PictureProvider value={show.picture}>
              <show.view.Settings {...show.props} />
            </PictureProvider>
          )}
        </div>
        {RowEnd && <RowEnd page={page} />}
      </div>
      <Panels page={page} />
      <div class="dock">
        {show?.view.Player && (
          <PictureProvider value={show.picture}>
            <show.view.Player {...show.props} />
          </PictureProvider>
        )}
      </div>
    </>
  );
}

/** The panels, in the room that there is for them. */
function Panels({ page: { store } }: StageProps) {
  const { show, room, loader, pending, cancel, retry } = useStaged();
  const element = useRef<HTMLDivElement>(null);
  const { status } = store.progress.value;
  // The picture that stays is of the problem before.
  const long = useLong(status === 'computing') || status === 'stopped';
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const measure = () => {
      const next = rooms.of(target);
      if (next.width !== room.peek()?.width || next.height !== room.peek()?.height) room.value = next;
    };
    measure();
    let frame = 0;
    // In the next frame: what is drawn while the sizes are told may change this one again.
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
  const layout = show?.picture.layout.value;
  const PendingLine = pending ? pendingLine() : null;
  return (
    <div ref={element} class={long ? 'stage__room stage__room--late' : 'stage__room'}>
      <LateNotice what="This mode" of={[loader, keepers, pendingLine]} />
      {PendingLine && <PendingLine pending={pending} onCancel={cancel} onRetry={retry} />}
      {show && layout && (
        <div
          class={`canvas canvas--${layout.arrangement}`}
          data-waits={show.props.state !== show.props.wanted}
          style={layout.arrangement === 'stage' ? { height: `${layout.height}px` } : {}}
        >
          <PictureProvider value={show.picture}>
            <show.view.Component {...show.props} />
          </PictureProvider>
        </div>
      )}
    </div>
  );
}

/** What could not be read or computed stands above the modes. */
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
  const Notices = anything && notices();
  return (
    <>
      <LateNotice what="What is to be said here" of={[notices]} />
      {Notices && <Notices page={page} />}
    </>
  );
}

export function StageActivity({ page: { store, client, status, address } }: StageProps) {
  const computing = store.progress.value.status === 'computing';
  const Activity = activity();
  return (
    Activity && (
      <Activity
        status={status.value}
        computing={computing}
        reading={address.reading.value > 0}
        onCancel={() => client.cancel()}
      />
    )
  );
}
