// Sources that the check of words judges before it judges the project: each of BROKEN has one refused word, SOUND has none.

export const BROKEN = [
  ['a.ts', '// Whoever waits longer waits in vain.'],
  ['a.ts', "const message = 'The kernel is turned by 180°';"],
  ['a.tsx', '<p>The gradient\n that each weight hears</p>'],
  ['a.tsx', '<button aria-label="Nobody">x</button>'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the example has the template
  ['a.ts', 'const late = `${name} could not be fetched`;'],
  ['a.ts', '/* words-ok: short */ // a usual mistake'],
  ['a.hpp', '/// The copies fly home.'],
  ['a.cpp', 'const char* text = "the sum that "\n  "somebody made";'],
  ['a.cpp', 'Ledger scratch;'],
  ['a.md', 'It lasts for ever.'],
  ['a.h', '/* The copies fly home. */'],
  ['a.py', 'def f():\n    """The sum.\n\n    Somebody made it.\n    """\n'],
  ['a.py', 'x = 1  # each weight hears it'],
  ['a.yaml', 'words: >\n  Each weight\n  hears the\n  gradient.\n'],
];

export const SOUND = [
  ['a.ts', "const hears = 'who';"],
  ['a.ts', '// A usual mistake: words-ok: quoted from a paper'],
  ['a.tsx', '<a class="who">Flip kernel</a>'],
  ['a.cpp', 'constexpr int kWhose = 1;  // flipped by 180 degrees'],
  ['a.yaml', 'title: Flip kernel\nlink: x=who\n'],
  ['a.md', 'Run `whoami`.\n```\nsomebody\n```'],
];
