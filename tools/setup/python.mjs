// NumPy and PyTorch, which run the scripts that the page hands out.

import { capture } from './run-process.mjs';
import { candidateVersion, hasApt, isRoot, osRelease, updateLists } from './system-packages.mjs';

const MODULES = [
  { module: 'numpy', name: 'python3-numpy', reason: 'runs the scripts for NumPy' },
  { module: 'torch', name: 'python3-torch', reason: 'runs the scripts for PyTorch' },
];

/** Debian's packages belong to this one, whichever is the first on the path. */
const PYTHONS = ['/usr/bin/python3', 'python3'];

/**
 * Packages that are missing for running them, as a list for installPackages: those who cannot install them can do without, and so
 * can machines that Debian has none for. The test that needs one is left out there, and says so.
 */
export async function missingPython() {
  if (!hasApt() || !isRoot() || osRelease().ID !== 'debian') return [];
  const missing = [];
  for (const { module, name, reason } of MODULES) if (!(await anyHas(module))) missing.push({ name, reason });
  const unknown = async () =>
    (await Promise.all(missing.map(({ name }) => candidateVersion(name)))).includes(undefined);
  if (await unknown()) await updateLists();
  const versions = await Promise.all(missing.map(({ name }) => candidateVersion(name)));
  return missing.filter((_, at) => versions[at]);
}

async function anyHas(module) {
  for (const python of PYTHONS) if ((await capture(python, ['-c', `import ${module}`])).code === 0) return true;
  return false;
}
