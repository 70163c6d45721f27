// Files of web/content, read in the build (web/site/content.ts). tests/web/lessons/content.test.ts checks their fields.
declare module '*.yaml' {
  const content: unknown;
  export default content;
}
