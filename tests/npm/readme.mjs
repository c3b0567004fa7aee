// Does what the package's README says to a page author: `node readme.mjs FOLDER TARBALL`. Then it bundles the project's own page by the
// same command.

import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { blocks } from './readme-blocks.mjs';

const [folder, tarball] = process.argv.slice(2);
const commands = blocks('sh')[0].trim().split('\n').map((line) => line.split(' # ')[0].trim());
if (commands.length !== 4 || commands[0] !== './run npm') throw new Error(`four commands, of which the first has run: ${commands}`);

// The versions that the README names are those of the package and of this project's bundler.
const { devDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const named = [...new Set(blocks('sh')[0].match(/zvmlab-[^/\s]*\.tgz|esbuild@\S+/g))].join(' and ');
const held = `${basename(tarball)} and esbuild@${devDependencies.esbuild}`;
if (named !== held) throw new Error(`the README names ${named}, but this is ${held}`);

const script = blocks('js').find((block) => block.includes('document.'));
writeFileSync(join(folder, 'page.js'), script);
writeFileSync(join(folder, 'page.html'), blocks('html')[0]);
const env = { ...process.env, npm_config_audit: 'false', npm_config_fund: 'false', npm_config_loglevel: 'error' };
for (const command of commands.slice(1)) {
  const here = command.replace(/\S+\.tgz/, `'${tarball}'`);
  console.log(`  $ ${here}`);
  execFileSync('sh', ['-c', here], { cwd: folder, env, stdio: 'inherit' });
}

const bundle = commands[2].replace('page.js', 'page.ts');
execFileSync('sh', ['-c', bundle], { cwd: import.meta.dirname, env, stdio: 'inherit' });
const site = join(import.meta.dirname, 'site');
mkdirSync(site, { recursive: true });
for (const name of ['worker.js', 'engine.wasm']) copyFileSync(join(import.meta.dirname, 'node_modules/zvmlab', name), join(site, name));
copyFileSync(join(import.meta.dirname, 'page.html'), join(site, 'page.html'));
cpSync(join(import.meta.dirname, 'hosts'), join(site, 'hosts'), { recursive: true });
