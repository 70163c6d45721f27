// Blocks of a component's style sheet that repeat a shared class (web/src/styles/shared.css, web/src/ui/elements.css).

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));
const SIMPLE = /^\.[\w-]+$/;

/** { classes, declarations, index } for each rule outside of at-rules with single classes as its selectors. */
function simpleRules(text) {
  const css = withoutComments(text);
  const rules = [];
  let depth = 0;
  for (const { 1: head, 2: brace, index } of css.matchAll(/([^{}]*)([{}])/g)) {
    const selectors = head.split(',').map((selector) => selector.trim());
    if (brace === '{' && depth === 0 && selectors.some((selector) => SIMPLE.test(selector))) {
      const start = index + head.length + 1;
      const body = css.slice(start, css.indexOf('}', start));
      const declarations = [...body.matchAll(/([\w-]+)\s*:\s*([^;{}]+)/g)].map(
        ([, property, value]) => `${property}: ${value.trim().replace(/\s+/g, ' ')}`,
      );
      rules.push({ selectors, declarations, index: start - 1 - head.trimStart().length });
    }
    depth += brace === '{' ? 1 : -1;
  }
  return rules;
}

/** [class, its declarations] for each class of the shared sheets with two declarations or more, the longest first. */
export function sharedClasses(sheets) {
  const classes = new Map();
  for (const { selectors, declarations } of simpleRules(sheets))
    for (const selector of selectors.filter((each) => SIMPLE.test(each)))
      classes.set(selector.slice(1), [...(classes.get(selector.slice(1)) ?? []), ...declarations]);
  return [...classes].filter(([, declarations]) => declarations.length > 1).sort(([, a], [, b]) => b.length - a.length);
}

/** Gaps that have a class of their own, in place of that of a layout. */
const GAPS = { 'gap: 4px': ' tight', 'gap: 12px': ' loose' };

/**
 * { path, line, found, instead } for each rule of classes that has all declarations of a shared class, except for its gap. A
 * modifier (`.a--small`) may: an element gets and loses it.
 */
export function repeatedIn(path, text, shared) {
  return simpleRules(text).flatMap(({ selectors, declarations, index }) => {
    if (!selectors.every((selector) => SIMPLE.test(selector) && !selector.includes('--'))) return [];
    const gap = declarations.find((each) => each in GAPS);
    const has = (each) => declarations.includes(each) || (gap && each.startsWith('gap:'));
    const [name] = shared.find(([, all]) => all.every(has)) ?? [];
    if (!name) return [];
    const line = text.slice(0, index).split('\n').length;
    return [{ path, line, found: selectors.join(', '), instead: `class "${name}${GAPS[gap] ?? ''}"` }];
  });
}
