import type { ComponentType } from 'preact';
import type { SheetName } from '../../commands/command';
import type { SideId } from '../../look/look';
import { lazy } from '../../ui/lazy';
import { Late } from '../../ui/notices';
import { ExplainTab } from '../explain/ExplainTab';
import type { SideTab, StudyProps } from '../page/page';
import type { Feature, SheetProps } from './feature';

/** A tab that is loaded when it is first shown. `what`: its name in messages. */
function tab(id: SideId, title: string, what: string, load: () => Promise<ComponentType<StudyProps>>): Feature {
  const part = lazy(what, load);
  const Component: SideTab['Component'] = (props) => (
    <Late part={part}>{(Tab) => <Tab {...props} Explain={ExplainTab} />}</Late>
  );
  return { id, tab: { title, Component } };
}

const sheet = (id: SheetName, what: string, load: () => Promise<ComponentType<SheetProps>>): Feature => ({
  id,
  sheet: lazy(what, load),
});

/** THE LIST of features, tabs in their order. Each is loaded when it is first opened, except the explanation. */
export const FEATURES: readonly Feature[] = [
  { id: 'explain', tab: { title: 'Explain', Component: ExplainTab } },
  tab('lesson', 'Lessons', 'The lessons', async () => (await import('../lesson/Lessons')).Lessons),
  tab(
    'algorithms',
    'Algorithms',
    'The algorithms',
    async () => (await import('../algorithms/AlgorithmsTab')).AlgorithmsTab,
  ),
  tab('code', 'Code', 'The code', async () => (await import('../code/Code')).Code),
  sheet('examples', 'The list of examples', async () => (await import('../examples/ExamplesSheet')).ExamplesSheet),
  sheet('link', 'The link dialog', async () => (await import('../share/LinkSheet')).LinkSheet),
  sheet('export', 'The export dialog', async () => (await import('../export/ExportSheet')).ExportSheet),
  sheet('class', 'The class dialog', async () => {
    const { ClassSheet } = await import('../share/ClassSheet');
    return (props) => <ClassSheet {...props} tabs={sideTabs} />;
  }),
  sheet('keys', 'The list of shortcuts', async () => (await import('../help/KeysSheet')).KeysSheet),
  sheet('about', 'The page About', async () => (await import('../help/AboutSheet')).AboutSheet),
];

/** The tabs of the side panel. */
export const sideTabs: readonly SideTab[] = FEATURES.flatMap(({ id, tab }) =>
  tab ? [{ ...tab, id: id as SideId }] : [],
);
