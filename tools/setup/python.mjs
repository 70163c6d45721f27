// NumPy and PyTorch, to run the scripts that the page exports, and what installs and tests the Python package and its notebooks.

import { capture } from './run-process.mjs';
import { candidateVersion, hasApt, isRoot, osRelease, updateLists } from './system-packages.mjs';

const MODULES = [
  { module: 'numpy', name: 'python3-numpy', reason: 'runs the scripts for NumPy' },
  { module: 'torch', name: 'python3-torch', reason: 'runs the scripts for PyTorch' },
  { module: 'pytest', name: 'python3-pytest', reason: 'tests the Python package' },
  { module: 'nbclient', name: 'python3-nbclient', reason: 'runs the notebooks' },
  { module: 'ipykernel', name: 'python3-ipykernel', reason: 'runs the notebooks' },
  { module: 'pip', name: 'python3-pip', reason: 'installs the Python package' },
];

/** Debian packages belong to the first one, whatever python3 is on the path. */
const PYTHONS = ['/usr/bin/python3', 'python3'];

/**
 * Missing packages, as a list for installPackages. Empty without root or where Debian has no packages: the test that
 * needs them is skipped there, with a message.
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
