// Blocks of the package's README.

import { readFileSync } from 'node:fs';

/** The blocks of code in a language. */
export function blocks(language) {
  const readme = readFileSync(new URL('node_modules/zvmlab/README.md', import.meta.url), 'utf8');
  return readme.split(`\`\`\`${language}\n`).slice(1).map((block) => block.split('```')[0]);
}
