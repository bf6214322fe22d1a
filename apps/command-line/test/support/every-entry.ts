import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type PackageManifest, readManifest } from './dependency-closure.js';

interface Published extends PackageManifest {
  private?: boolean;
  bin?: string | Record<string, string>;
  exports: Record<string, unknown>;
}

const packages = join(__dirname, '../../../../packages');

/** The packages that people install. */
export const published = readdirSync(packages)
  .map((folder) => readManifest(join(packages, folder)) as Published)
  .filter((each) => !each.private);

/** What only a program loads: a hook of Node.js, what Jest adds to itself, types of files. */
const ofPrograms = ['./bin', './register', './jest-preset', './jest-globals', './assets'];

export const entries = published.flatMap(({ name, exports }) =>
  Object.keys(exports)
    .filter((path) => ![...ofPrograms, './package.json'].includes(path))
    .map((path) => name + path.slice(1)),
);

/** A program that loads every entry, each by itself, and prints an error for each that fails. */
export const loadsEveryEntry = `
const failed = {};
for (const entry of ${JSON.stringify(entries)})
  await import(entry).catch((error) => { failed[entry] = String(error.message); });
console.log(JSON.stringify(failed));
process.exit();
`;
