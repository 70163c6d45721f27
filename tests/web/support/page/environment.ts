import { builtinEnvironments, type Environment } from 'vitest/runtime';

/** A document of happy-dom with modules as in Node, so that the WebAssembly module finds its files. */
const environment: Environment = { ...builtinEnvironments['happy-dom'], name: 'page', viteEnvironment: 'ssr' };
export default environment;
