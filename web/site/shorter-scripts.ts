import { minify } from 'terser';
import type { Plugin } from 'vite';

/** Minifies the scripts a second time: what Oxc leaves is 1 kB of the first download. */
export function shorterScripts(): Plugin {
  return {
    name: 'shorter-scripts',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue;
          const { code } = await minify(chunk.code, { module: true, ecma: 2020, compress: { passes: 3 } });
          if (!code) throw new Error(`${chunk.fileName} is empty when minified`);
          chunk.code = code;
        }
      },
    },
  };
}
