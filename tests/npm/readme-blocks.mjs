// Blocks of READMEs: the package's, and the repository's, of which the project has a copy.

import { readFileSync, writeFileSync } from 'node:fs';

/** The blocks of code in a language. */
export function blocks(language, file = 'node_modules/zvmlab/README.md') {
  const readme = readFileSync(new URL(file, import.meta.url), 'utf8');
  return readme.split(`\`\`\`${language}\n`).slice(1).map((block) => block.split('```')[0]);
}

// Called by itself, it writes the package's examples in TypeScript to files, which the compiler then checks.
if (process.argv[1] === import.meta.filename) {
  blocks('ts').forEach((block, at) => writeFileSync(new URL(`readme-${at}.ts`, import.meta.url), block));
}
