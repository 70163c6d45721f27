import type { Plugin } from 'vite';
import { BREAKPOINTS } from './src/ui/breakpoints.ts';

/** Folders of web/src and the cascade layer of what lies in them, longest match first; their order is in styles/index.css. */
const LAYERS = [
  ['/src/ui/elements.css', 'elements'],
  ['/src/ui/', 'ui'],
  ['/src/views/shared/', 'panels'],
  ['/src/views/', 'views'],
  ['/src/app/deferred/print.css', 'print'],
  ['/src/app/', 'app'],
  ['/src/embed/', 'app'],
] as const;

/**
 * A component's style sheet stands beside it and comes when it does, so that their order is the order in which things are
 * opened. Layers make it of no consequence; a sheet's folder says which is its own, so that none can be forgotten.
 */
export function styleSheets(): Plugin {
  return {
    name: 'style-sheets',
    enforce: 'pre',
    transform: {
      filter: { id: /\.css$/ },
      handler(code, id) {
        const layer = LAYERS.find(([folder]) => id.includes(folder))?.[1];
        return layer ? { code: `@layer ${layer} {\n${withWidths(code)}}\n`, map: null } : null;
      },
    },
  };
}

const isBreakpoint = (name: string): name is keyof typeof BREAKPOINTS => name in BREAKPOINTS;

/** With the widths in place of their names: `@media (--wide)`. */
function withWidths(sheet: string): string {
  return sheet.replace(/@media \(--([\w-]+)\)/g, (_, name: string) => {
    if (!isBreakpoint(name)) throw new Error(`ui/breakpoints.ts has no ${name}`);
    return `@media ${BREAKPOINTS[name]}`;
  });
}
