// The command conv2d-check as one file for Node.

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';

export const CommandFile = 'conv2d-check.js';

/** Writes the command to `folder` and returns the paths of its sources; `loaders`: see `bundle`. */
export async function bundleCommand(folder, loaders) {
  const name = CommandFile.replace('.js', '');
  const sources = await bundle({
    entry: 'web/package/cli/main.ts',
    name,
    folder,
    loaders,
    banner: '#!/usr/bin/env node',
  });
  chmodSync(join(folder, CommandFile), 0o755);
  return sources;
}
