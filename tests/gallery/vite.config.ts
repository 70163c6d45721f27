import { join } from 'node:path';
import { defineConfig } from 'vite';
import { styleSheets } from '../../web/style-sheets.ts';

// The page of all components: `npx vite --config tests/gallery/vite.config.ts`. The built site does not contain it.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [styleSheets()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(import.meta.dirname, '../../build/gallery'),
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: false,
    // The page imports statically what the site loads on demand.
    rolldownOptions: { checks: { ineffectiveDynamicImport: false, pluginTimings: false } },
  },
});
