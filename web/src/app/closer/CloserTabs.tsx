import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ComputeClient } from '../../compute/client';
import { validFocus } from '../../geometry/focus';
import type { ViewState } from '../../look/look';
import type { LookStore } from '../../look/look-store';
import type { DySource } from '../../sources/dy-sources';
import { Tabs } from '../../ui/controls/Tabs';
import { useWidth } from '../../ui/use-size';
import type { Scene, SceneEvents } from '../../views/kit/scene';
import type { View } from '../../views/kit/view';
import { VIEWS, type ViewEntry } from '../../views/list';
import type { Content } from '../page';
import { useAnswers } from './use-answers';
import './closer.css';

export interface CloserTabsProps {
  readonly client: ComputeClient;
  readonly content: Content;
  readonly revision: number;
  readonly look: LookStore;
  /** How the board is seen; the views below follow it. */
  readonly seen: Pick<Scene, 'focus' | 'highlights' | 'transfer'>;
  readonly dySource: DySource;
  readonly events: SceneEvents;
  /** The area is in sight, or nearly. */
  readonly near: boolean;
}

/** The board has its own place. */
const CLOSER = VIEWS.filter(({ id }) => id !== 'board');

/** One tab per closer view. What was chosen in a view is kept while another one is open. */
export function CloserTabs(props: CloserTabsProps) {
  const { look } = props;
  const panel = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  const mode = look.mode.value;
  return (
    <Tabs
      label="Closer views"
      selected={mode === 'board' ? FIRST : mode}
      onSelect={(id) => {
        height.current = panel.current?.offsetHeight ?? 0;
        const chosen = CLOSER.find((entry) => entry.id === id);
        if (chosen) look.mode.value = chosen.id;
      }}
      tabs={CLOSER.map((entry) => ({
        id: entry.id,
        title: entry.title,
        content: () => (
          <CloserPanel key={entry.id} {...props} entry={entry} element={panel} meanwhile={height.current} />
        ),
      }))}
    />
  );
}

/** What stands below the board as long as nothing was chosen. */
const FIRST = 'steps';

interface CloserPanelProps extends CloserTabsProps {
  readonly entry: ViewEntry;
  readonly element: RefObject<HTMLDivElement | null>;
  /** Height to keep until there is something to show, so that the page does not move under the reader. */
  readonly meanwhile: number;
}

function CloserPanel(props: CloserPanelProps) {
  const { client, content, revision, look, seen, dySource, events, near, entry, element, meanwhile } = props;
  const wanted = look.settings[entry.id].value;
  const onState = useCallback((change: ViewState) => look.choose(entry.id, change), [look, entry]);
  const width = useWidth(element);
  const [view, setView] = useState<View | null>(null);
  useEffect(() => {
    void entry.load().then(setView);
  }, [entry]);
  const answered = useAnswers({ client, view, content, revision, state: wanted, idle: !near });
  return (
    <div ref={element} class="closer__panel" style={answered || !meanwhile ? {} : { minHeight: `${meanwhile}px` }}>
      <p class="view__sentence">{entry.sentence}</p>
      {answered && width > 0 && (
        <answered.view.Component
          scene={{
            ...answered.content,
            ...seen,
            focus: validFocus(answered.content.geometry, seen.focus),
            // Those of a newer problem may name cells that this one does not have.
            highlights: answered.content === content ? seen.highlights : null,
          }}
          state={answered.state}
          answers={answered.answers}
          wanted={wanted}
          dySource={dySource}
          events={events}
          onState={onState}
          width={width}
        />
      )}
    </div>
  );
}
