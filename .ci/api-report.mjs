// Writes what every published package offers, types included, into a file that a review sees change, after `tsc -b`:
//   node .ci/api-report.mjs             writes packages/*/api.md
//   node .ci/api-report.mjs --check     fails when one of them is not what the declarations say now
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';

const packages = join(dirname(fileURLToPath(import.meta.url)), '../packages');
const use = process.argv.includes('--check') ? compare : writeFile;

const scratch = await mkdtemp(join(tmpdir(), 'api-report-'));
try {
  for (const name of await readdir(packages)) {
    const folder = join(packages, name);
    await use(join(folder, 'api.md'), await report(folder));
  }
} finally {
  await rm(scratch, { recursive: true });
}

/** One section for each entry point that has types. */
async function report(folder) {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const entries = Object.entries(manifest.exports).filter(([, { types }]) => types !== undefined);
  const sections = [`# The public face of ${manifest.name}`, 'Written by `pnpm api`. Do not edit it.'];
  for (const [path, { types }] of entries) {
    sections.push(`## ${join(manifest.name, path)}`, await describe(folder, join(folder, types)));
  }
  return `${sections.join('\n\n')}\n`;
}

async function describe(folder, entry) {
  const { stderr, succeeded } = extract(folder, entry);
  if (!succeeded) throw new Error(`${entry} has no report:\n${stderr.join('\n')}`);
  const [block] = (await readFile(join(scratch, 'entry.api.md'), 'utf8')).match(/^```ts[^]*^```$/m);
  const body = block.replace('// (No @packageDocumentation comment for this package)', '');
  // An entry that is loaded for its effect exports nothing; it may still declare what it adds to other modules.
  const text = /\bexport\b/.test(body) ? body : '```ts\n' + (await readFile(entry, 'utf8')) + '\n```';
  return sortUnions(text)
    .replace(/^\/\/# sourceMappingURL.*$/m, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\s+```$/, '\n```');
}

function extract(folder, entry) {
  const stderr = [];
  const config = ExtractorConfig.prepare({
    configObject: configOf(folder, entry),
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
  });
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback(message) {
      if (message.logLevel === ExtractorLogLevel.Error) stderr.push(message.text);
      message.handled = true;
    },
  });
  return { stderr, succeeded };
}

function configOf(folder, entry) {
  return {
    projectFolder: folder,
    mainEntryPointFilePath: entry,
    newlineKind: 'lf',
    compiler: {
      overrideTsconfig: {
        extends: '../../tsconfig.base.json',
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
