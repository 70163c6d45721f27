import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComputeClient } from '../../compute/client';
import type { DySource } from '../../protocol/messages';
import { Tabs } from '../../ui/controls/Tabs';
import { useWidth } from '../../ui/use-size';
import { type Scene, type SceneEvents, validFocus } from '../../views/kit/scene';
import type { View, ViewState } from '../../views/kit/view';
import { VIEWS, type ViewEntry } from '../../views/list';
import type { Content } from '../page';
import { useAnswers } from './use-answers';
import './closer.css';

export interface CloserTabsProps {
  readonly client: ComputeClient;
  readonly content: Content;
  readonly revision: number;
  /** How the board is looked at; the views below follow it. */
  readonly look: Pick<Scene, 'focus' | 'highlights' | 'transfer'>;
  readonly dySource: DySource;
  readonly events: SceneEvents;
  /** The area is in sight, or nearly. */
  readonly near: boolean;
}

/** The board has its own place. */
const CLOSER = VIEWS.filter(({ id }) => id !== 'board');

const NOTHING_CHOSEN: ViewState = {};

/** One tab per closer view. What was chosen in a view is kept while another one is open. */
export function CloserTabs(props: CloserTabsProps) {
  const [selected, setSelected] = useState(CLOSER[0]?.id ?? '');
  const [states, setStates] = useState<Readonly<Record<string, ViewState>>>({});
  const panel = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  return (
    <Tabs
      label="Closer views"
      selected={selected}
      onSelect={(id) => {
        height.current = panel.current?.offsetHeight ?? 0;
        setSelected(id);
      }}
      tabs={CLOSER.map((entry) => ({
        id: entry.id,
        title: entry.title,
        content: () => (
          <CloserPanel
            key={entry.id}
            {...props}
            entry={entry}
            element={panel}
            meanwhile={height.current}
            wanted={states[entry.id] ?? NOTHING_CHOSEN}
            onState={(change) => setStates((before) => ({ ...before, [entry.id]: { ...before[entry.id], ...change } }))}
          />
        ),
      }))}
    />
  );
}

interface CloserPanelProps extends CloserTabsProps {
  readonly entry: ViewEntry;
  readonly element: RefObject<HTMLDivElement | null>;
  /** Height to keep until there is something to show, so that the page does not move under the reader. */
  readonly meanwhile: number;
  readonly wanted: ViewState;
  readonly onState: (change: ViewState) => void;
}

function CloserPanel(props: CloserPanelProps) {
  const { client, content, revision, look, dySource, events, near, entry, element, meanwhile, wanted, onState } = props;
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
            ...look,
            focus: validFocus(answered.content.geometry, look.focus),
            // Those of a newer problem may name cells that this one does not have.
            highlights: answered.content === content ? look.highlights : null,
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
