import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allPackages } from './packages.js';

/** An option, or a parameter, whose type is `Duration`, or whose name says that it is a time in numbers. */
export interface DurationOption {
  readonly name: string;
  /** The comment above it, in one line. */
  readonly comment: string;
}

const packages = join(__dirname, '../../../packages');

/** These declare nothing that people set: the type itself and its readers, and what options have become. */
const internal = [
  'ground/src/base/options/',
  'ground/src/call/environment.ts',
  'ground/src/call/limits/rate-limits.ts',
  'core/src/protocol/served-protocol.ts',
];

/** An option whose name says that it is a time. */
const inNumbers =
  /^ {2}(?:readonly )?(\w*(?:Ms|Seconds|[tT]imeout|[iI]nterval|[tT]tl|[gG]race|[lL]ifetime|[dD]elay))\?: number;/;

const owner = /^(?:export )?(?:abstract )?(?:interface|class|const|type) (\w+)/;
const declared = /(?<!#close\()\b(\w+)\??: (?:readonly )?Duration\b(?! \| undefined)(?!\) =>)/;

/** All of the packages, by `package Owner.option`. They are read from the sources, as the reference is. */
export function durationOptions(): Map<string, DurationOption> {
  const found = new Map<string, DurationOption>();
  for (const [folder, { private: isPrivate }] of allPackages)
    for (const path of sourcesOf(folder)) {
      if (internal.some((each) => path.startsWith(each))) continue;
      // What core stands on is published by core.
      const name = isPrivate ? 'core' : folder;
      const lines = readFileSync(join(packages, path), 'utf8').split('\n');
      const face = join(packages, name, 'api.md');
      const api = existsSync(face) ? readFileSync(face, 'utf8') : '';
      let current = '';
      for (const [at, line] of lines.entries()) {
        current = owner.exec(line)?.[1] ?? current;
        const isPublic = /(Options|Limits)$/.test(current) && api.includes(`interface ${current} {`);
        const option = declared.exec(line)?.[1] ?? (isPublic ? inNumbers.exec(line)?.[1] : undefined);
        if (option !== undefined && !/^\s*(\*|import|const )/.test(line))
          found.set(`${name} ${current}.${option}`, { name: option, comment: commentAbove(lines, at) });
      }
    }
  return found;
}

/** The files of a package, without its tests, from the folder of all packages. */
export function sourcesOf(name: string): string[] {
  const folder = join(packages, name, 'src');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((path) => /(?<!\.test|-d)\.ts$/.test(path)).map((path) => `${name}/src/${path}`);
}

/** The comment that ends on the line above, or on the one before: a policy has its name between. */
function commentAbove(lines: readonly string[], at: number): string {
  const end = [at - 1, at - 2].find((line) => lines[line]?.trimEnd().endsWith('*/'));
  if (end === undefined) return '';
  let begin = end;
  while (!lines[begin]!.trimStart().startsWith('/**')) begin--;
  const text = lines.slice(begin, end + 1).map((line) => line.replace(/^\s*(\/\*\*|\*(?!\/))|\*\/\s*$/g, ''));
  return text.join(' ').replace(/\s+/g, ' ').trim();
}
