import { build } from 'vite';

/** A file of TypeScript and what it imports as one script, with `define` in place of names. */
export async function scriptOf(source: string, define: Readonly<Record<string, string>>): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    define,
    build: { write: false, target: 'es2022', rolldownOptions: { input: source, output: { format: 'iife' } } },
  });
  const [output] = [built].flat();
  if (!output || !('output' in output)) throw new Error(`${source} was not built`);
  return output.output[0].code;
}
