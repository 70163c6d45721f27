import groups from '../../content/examples.yaml';

/** An example problem: an entry in web/content/examples.yaml. */
export interface Example {
  readonly title: string;
  /** What it shows, one sentence. */
  readonly sentence: string;
  /** Problem and view state, as a link (link/write-link.ts). */
  readonly link: string;
}

/** All examples, in display order. */
export const EXAMPLES = groups as readonly { readonly title: string; readonly examples: readonly Example[] }[];

/** The view Network offers these, too. */
export const NETWORKS = EXAMPLES.find(({ title }) => title === 'Networks')?.examples ?? [];
