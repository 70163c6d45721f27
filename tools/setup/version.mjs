// The version of the project. cpp/include/conv2d/version.hpp is its source: CMake reads it, and a test compares every other file.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.mjs';

export function projectVersion() {
  const header = readFileSync(join(projectRoot, 'cpp/include/conv2d/version.hpp'), 'utf8');
  return ['MAJOR', 'MINOR', 'PATCH']
    .map((name) => new RegExp(`^#define CONV2D_VERSION_${name} (\\d+)$`, 'm').exec(header)?.[1])
    .join('.');
}
