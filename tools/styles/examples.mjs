// Made-up sources for the self-test of tools/check-styles.mjs: each of BROKEN has exactly the finding that its third element names,
// each of SOUND has none. A rule of
// REPEATED has all declarations of the class of SHARED that its third element names, no rule of UNREPEATED has all of one.

export const BROKEN = [
  ['a.css', '.a { color: #fff; }', 'color: #fff'],
  ['a.css', '.a { border: 1px solid rgb(0 0 0 / 20%); }', 'border: rgb(0 0 0 / 20%)'],
  ['a.css', '.a { background: linear-gradient(white, var(--paper)); }', 'background: white'],
  ['a.css', '.a { --accent: oklch(0.5 0.1 20); }', '--accent: oklch(0.5 0.1 20)'],
  ['a.css', '.a { outline-color: darkslateblue; }', 'outline-color: darkslateblue'],
  ['a.css', '@media (--phone) { .a { fill: color-mix(in oklab, red 20%, transparent); } }', 'fill: red'],
  ['a.css', '.a { font-size: 15px; }', 'font-size: 15px'],
  ['a.css', '.a { font-size: 1.2em; }', 'font-size: 1.2em'],
  ['a.css', '.a { font: italic 600 15px / 1.1 var(--symbol); }', 'font: 15px'],
  ['a.css', '.a { padding: 4px 6px; }', 'padding: 6px'],
  ['a.css', '.a { margin: -3px 0 0; }', 'margin: -3px'],
  ['a.css', '.a { margin-inline: calc(100% - 10px); }', 'margin-inline: 10px'],
  ['a.css', '.a { padding-block-start: 1rem; }', 'padding-block-start: 1rem'],
  ['a.css', '.a { gap: 5px; }', 'gap: 5px'],
  ['a.css', '.a { column-gap: 18px }', 'column-gap: 18px'],
  ['a.css', '.a { border-radius: 4px; }', 'border-radius: 4px'],
  ['a.css', '.a { border-radius: var(--radius) 3px 0 0; }', 'border-radius: var(--radius) 3px 0 0'],
  ['a.css', '.a { border-top-left-radius: var(--line); }', 'border-top-left-radius: var(--line)'],
  ['a.css', '.a { box-shadow: 0 1px 3px var(--shade); }', 'box-shadow: 0 1px 3px var(--shade)'],
  ['a.css', '.a { box-shadow: var(--ring), 0 0 4px var(--ink); }', 'box-shadow: var(--ring), 0 0 4px var(--ink)'],
  ['a.css', '/* css-ok: short */\n.a { gap: 5px; }', 'gap: 5px'],
  ['a.css', '.a {\n  /* 4px */\n  gap: 6px;\n}', 'gap: 6px'],
  ['a.ts', "const ink = '#1d1b22';", "'#1d1b22'"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the example has the template
  ['a.tsx', '<p style={{ color: `rgb(${1} 2 3)`, background: "rgb(1 2 3)" }} />', 'rgb(1'],
];

export const SOUND = [
  ['a.css', '.a { color: var(--ink); background: none; fill: currentcolor; border-color: Highlight; }'],
  ['a.css', '.a:hover { background: color-mix(in oklab, var(--id-x) 14%, transparent); white-space: nowrap; }'],
  ['a.css', '#red .white-space { font: italic 600 var(--text-m) / 1.1 var(--symbol); }'],
  ['a.css', '.a { font-size: calc(1.2 * var(--text-lecture)); font: inherit; }'],
  ['a.css', '.a { padding: 4px 12px 0 2px; margin: -12px auto 1px; gap: 0.5em; }'],
  ['a.css', '.a { padding: 0 4px 0 calc(4px + var(--further)); width: 27px; top: 5px; }'],
  ['a.css', '.a { border-radius: var(--radius) var(--radius) 0 0; box-shadow: var(--ring), var(--shadow); }'],
  ['a.css', '.a { box-shadow: none; border-radius: var(--round); }'],
  ['a.css', '/* css-ok: height of the tabs */\n.a { margin-top: 27px; }'],
  ['a.css', '/* color: #fff; */\n@import "./a.css" layer(reset);'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the example has the template
  ['a.ts', "const link = '#h=5&kh=3'; const text = `rgb(${r} ${g} ${b})`; const id = '#start';"],
];

export const SHARED =
  '.row, .wrap { display: flex; gap: 8px; } .row { align-items: center; } .wrap { flex-wrap: wrap; } .soft { color: var(--ink); }';

export const REPEATED = [
  ['a.css', '.a { display: flex; gap: 8px; align-items: center; padding: 4px; }', 'row'],
  ['a.css', '/* .b */ .a,\n.b { flex-wrap: wrap; gap:  8px; display: flex }', 'wrap'],
  ['a.css', '@media (--phone) { .b { gap: 8px; } } .a { display: flex; flex-wrap: wrap; gap: 8px; }', 'wrap'],
  ['a.css', '.a { display: flex; gap: 4px; align-items: center; }', 'row tight'],
];

export const UNREPEATED = [
  ['a.css', '.a { display: flex; gap: 16px; align-items: center; }'],
  ['a.css', '.a { color: var(--ink); } .b { display: flex; gap: 8px; }'],
  ['a.css', '@media (--phone) { .a { display: flex; gap: 8px; align-items: center; } }'],
  [
    'a.css',
    '.a .b { display: flex; gap: 8px; align-items: center; } .a:hover { display: flex; gap: 8px; flex-wrap: wrap; }',
  ],
];
