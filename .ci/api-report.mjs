// Writes what every published package offers, types included, into a file that a review sees change, after `pnpm compile`:
//   node .ci/api-report.mjs             writes packages/*/api.md
//   node .ci/api-report.mjs --check     fails when one of them is not what the declarations say now
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { publicPart, valuesOf } from './public-part.mjs';
import { publishedPackages } from './published.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const packages = join(root, 'packages');
const use = process.argv.includes('--check') ? compare : writeFile;

const scratch = await mkdtemp(join(tmpdir(), 'api-report-'));
try {
  const published = publishedPackages(root).map(entriesOf);
  const all = published.flatMap(({ entries }) => entries.map(({ types }) => types));
  // The packages share most of their declarations, so one program reads all of them once.
  const config = configOf(published[0].folder, all[0]);
  const compilerState = CompilerState.create(config, { additionalEntryPoints: all });
  for (const each of published) await use(join(each.folder, 'api.md'), await report(each, compilerState));
} finally {
  await rm(scratch, { recursive: true });
}

/** The entry points of a package that have types. */
function entriesOf({ folder: name, manifest }) {
  const folder = join(packages, name);
  const typed = Object.entries(manifest.exports).filter(([, { types }]) => types !== undefined);
  const entries = typed.map(([path, { types }]) => ({
    name: join(manifest.name, path),
    types: join(folder, types),
  }));
  return { name: manifest.name, folder, entries };
}

/** One section for each entry point. What an earlier section declares is not repeated. */
async function report({ name, folder, entries }, compilerState) {
  const sections = [`# The public face of ${name}`, 'Written by `pnpm api`. Do not edit it.'];
  const known = new Set();
  const declarations = await Promise.all(entries.map(({ types }) => readFile(types, 'utf8')));
  const values = new Set(declarations.flatMap(valuesOf));
  for (const entry of entries) {
    const text = await describe(folder, entry.types, compilerState);
    sections.push(`## ${entry.name}`, withoutKnown(publicPart(text, values), known));
  }
  return `${sections.join('\n\n')}\n`;
}

/** Names the exports that an earlier section declares, and leaves out what they are made of. */
function withoutKnown(text, known) {
  const again = [];
  const parts = text.split(/\n\n(?=\/\/ @)/);
  const fresh = parts.filter((part, index) => {
    if (index === 0) return true;
    const declaration = part.replace(/\n```$/, '').replace(/^export /m, '');
    const isKnown = known.has(declaration);
    known.add(declaration);
    if (isKnown && /^export /m.test(part))
      again.push(/^export (?:abstract |declare )*\w+ (\w+)/m.exec(part)[1]);
    return !isKnown;
  });
  const whole = fresh.join('\n\n').replace(/\n```$/, '');
  const listed = again.length > 0 ? `\n\n// As above: ${again.join(', ')}` : '';
  return `${whole}${listed}\n\`\`\``;
}

async function describe(folder, entry, compilerState) {
  const { stderr, succeeded } = extract(folder, entry, compilerState);
  if (!succeeded) throw new Error(`${entry} has no report:\n${stderr.join('\n')}`);
  const [block] = (await readFile(join(scratch, 'entry.api.md'), 'utf8')).match(/^```ts[^]*^```$/m);
  const body = block.replace('// (No @packageDocumentation comment for this package)', '');
  // An entry that is loaded for its effect exports nothing; it may still declare what it adds to other modules.
  const text = /\bexport\b/.test(body) ? body : '```ts\n' + (await readFile(entry, 'utf8')) + '\n```';
  return (
    sortUnions(text)
      .replace(/^\/\/# sourceMappingURL.*$/m, '')
      // Lint holds that what is exported has a comment; the extractor looks for one at each member, too.
      .replace(/^ *\/\/ \(undocumented\)\n/gm, '')
      .replace(/ \(undocumented\)$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/\s+```$/, '\n```')
  );
}

function extract(folder, entry, compilerState) {
  const stderr = [];
  const { succeeded } = Extractor.invoke(configOf(folder, entry), {
    compilerState,
    localBuild: true,
    messageCallback(message) {
      if (message.logLevel === ExtractorLogLevel.Error) stderr.push(message.text);
      message.handled = true;
    },
  });
  return { stderr, succeeded };
}

function configOf(folder, entry) {
  const configObject = {
    projectFolder: folder,
    mainEntryPointFilePath: entry,
    newlineKind: 'lf',
    compiler: {
      overrideTsconfig: {
        extends: join(packages, '../tsconfig.base.json'),
        compilerOptions: { composite: false, noEmit: true },
        files: [entry],
      },
    },
    apiReport: {
      enabled: true,
      reportFileName: 'entry',
      reportFolder: scratch,
      reportTempFolder: join(scratch, 'fresh'),
      // A type that is reached through an exported one belongs to the promise, too.
      includeForgottenExports: true,
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    messages: {
      compilerMessageReporting: { default: { logLevel: 'error' } },
      // These name lines of sources, which change all the time. Comments are for the linter and the docs tests.
      extractorMessageReporting: { default: { logLevel: 'none' } },
      tsdocMessageReporting: { default: { logLevel: 'none' } },
    },
  };
  const packageJsonFullPath = join(folder, 'package.json');
  return ExtractorConfig.prepare({ configObject, configObjectFullPath: undefined, packageJsonFullPath });
}

async function compare(file, text) {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return;
  console.error(
    `${file} is not what the package offers now: run \`pnpm build && pnpm api\`, then read its diff.`,
  );
  process.exitCode = 1;
}

/** The compiler lists the members of a union in the order in which it met them, which is another in each run. */
function sortUnions(text) {
  const member = '(?:"[^"\\n]*"|`[^`\\n]*`|-?\\d+|true|false|null|undefined|string|number|boolean)';
  return text.replace(new RegExp(`${member}(?: \\| ${member})+`, 'g'), (union) =>
    union.split(' | ').sort().join(' | '),
  );
}
