// Puts the package together: `node build.mjs WORK PACKAGE VERSION`. WORK holds these sources, the engine as wasm-pack laid it out in
// `engine/`, the types of reports in `report.ts`, and static/zvm-lab.js. PACKAGE gets what npm packs.

import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { buildSync } from 'esbuild';
import { compile } from 'json-schema-to-typescript';

const [work, to, version] = [resolve(process.argv[2]), resolve(process.argv[3]), process.argv[4]];
const here = import.meta.dirname;

/** A wasm file without the section that names its functions: only a person who looks for a fault reads them. */
function withoutNames(wasm) {
  const kept = [wasm.subarray(0, 8)];
  let at = 8;
  const number = () => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = wasm[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
      shift += 7;
    }
  };
  while (at < wasm.length) {
    const begin = at;
    const id = wasm[at++];
    const end = number() + at;
    const isNames = id === 0 && wasm.subarray(at, end).subarray(1, 5).toString() === 'name' && wasm[at] === 4;
    if (!isNames) kept.push(wasm.subarray(begin, end));
    at = end;
  }
  return Buffer.concat(kept);
}

/** A schema as the library of types takes it best: names and defaults in the texts, and no types of their own for single fields. */
function told(schema) {
  // The library would give its types the name in `$id`.
  const { title, default: usual, $id, ...rest } = schema;
  const parts = [title && `${title}.`, schema.description, usual !== undefined && usual !== null && `Unless given: ${JSON.stringify(usual)}.`];
  const described = { ...rest, description: parts.filter(Boolean).join(' ') };
  if (schema.anyOf) described.anyOf = schema.anyOf.map(({ default: _, ...one }) => one);
  if (schema.properties) described.properties = Object.fromEntries(Object.entries(schema.properties).map(([key, one]) => [key, told(one)]));
  // A list with a least length would become a tuple.
  if (schema.items) Object.assign(described, { items: told(schema.items), minItems: undefined, maxItems: undefined });
  return described;
}

/** The same with every field stated, as a report has it: numbers in their own unit, and fields in place of a workload's name. */
function whole(schema) {
  if (schema.items) return { ...schema, items: whole(schema.items) };
  if (schema.anyOf) return { ...schema.anyOf[0], description: schema.description };
  if (!schema.properties) return schema;
  const fields = Object.entries(schema.properties).filter(([key]) => key !== 'workload');
  const properties = Object.fromEntries(fields.map(([key, one]) => [key, whole(one)]));
  return { ...schema, properties, required: Object.keys(properties) };
}

async function scenarioTypes() {
  const { initSync, schema } = await import(pathToFileURL(join(work, 'engine/engine.js')));
  initSync({ module: readFileSync(join(work, 'engine/engine_bg.wasm')) });
  const given = told(JSON.parse(schema(false)));
  const options = { bannerComment: '', additionalProperties: false, strictIndexSignatures: true };
  const types = await compile(given, 'Scenario', options);
  const stated = { ...whole(given), description: 'A scenario with every field stated.' };
  return types + (await compile(stated, 'WholeScenario', options));
}

/** The program of a package that package.json of the package names. */
function program(name) {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return join(dirname(manifest), typeof bin === 'string' ? bin : Object.values(bin)[0]);
}

writeFileSync(join(work, 'scenario.ts'), await scenarioTypes());
execFileSync(process.execPath, [program('typescript'), '--project', join(work, 'tsconfig.json'), '--typeRoots', join(here, 'node_modules/@types')], { stdio: 'inherit' });

// The declarations that a user's compiler reads; those of the workers are nobody's.
for (const name of ['index', 'errors', 'report', 'scenario', 'element', 'zvm-lab']) {
  copyFileSync(join(work, 'declared', `${name}.d.ts`), join(to, `${name}.d.ts`));
}
copyFileSync(join(work, 'zvm-lab.js'), join(to, 'zvm-lab.js'));
writeFileSync(join(to, 'engine.wasm'), withoutNames(readFileSync(join(work, 'engine/engine_bg.wasm'))));

const bundle = (from, file, platform, more) =>
  buildSync({
    entryPoints: [join(work, from)],
    outfile: join(to, file),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    alias: { 'zvmlab-platform': join(work, `platform-${platform}.ts`) },
    define: { ZVMLAB_VERSION: JSON.stringify(version) },
    ...more,
  });
bundle('index.ts', 'index.js', 'web', { platform: 'browser' });
bundle('index.ts', 'node.js', 'node', { platform: 'node' });
bundle('worker.ts', 'worker.js', 'web', { platform: 'browser', minify: true });
bundle('worker-node.ts', 'worker-node.js', 'node', { platform: 'node', minify: true });

const manifest = JSON.parse(readFileSync(join(here, 'manifest.json'), 'utf8'));
writeFileSync(join(to, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
console.log(readdirSync(to).join(' '));
