import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE, parseManifest } from '@toolwright/manifest';
import { nameForHosts } from '@toolwright/hosts';
import { usageError } from '@toolwright/operate/terminal';
import { readLintConfig } from '../../lint/lint-config.js';
import { isObject, listOf, type Json } from '../../lint/directories/requirement.js';
import type { PublishedProject } from '../project.js';

/**
 * The `manifest.json` of a bundle: who made it, how a host starts it, what people must fill in, and its tools.
 *
 * @param entry the compiled file that starts the server, relative to the project, with forward slashes
 * @throws {CommandError} if package.json names no author
 */
export function bundleManifest(project: PublishedProject, serverJson: Json, entry: string): Json {
  const { value } = project.package;
  const { environmentVariables, packageArguments } = inputsOf(serverJson);
  const variables = listOf(environmentVariables);
  const { privacyPolicy, support } = readLintConfig(project.directory).listing ?? {};
  return definedOnly({
    manifest_version: '0.3',
    name: nameForHosts(project.name),
    display_name: serverJson['title'],
    version: project.version,
    description: serverJson['description'] ?? value['description'],
    author: authorOf(value['author']),
    repository: project.repository && { type: 'git', url: project.repository.url },
    homepage: serverJson['websiteUrl'],
    support: support?.startsWith('https://') ? support : undefined,
    icon: existsSync(join(project.directory, 'icon.png')) ? 'icon.png' : undefined,
    server: {
      type: 'node',
      entry_point: entry,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${entry}`, ...listOf(packageArguments).flatMap(words)],
        env: Object.fromEntries(
          variables.map(({ name }) => [name, `\${user_config.${keyOf(String(name))}}`]),
        ),
      },
    },
    tools: toolsOf(project.directory),
    keywords: Array.isArray(value['keywords']) ? value['keywords'] : undefined,
    license: value['license'],
    privacy_policies: privacyPolicy === undefined ? undefined : [privacyPolicy],
    compatibility: { runtimes: { node: engineOf(value) } },
    user_config: variables.length > 0 ? Object.fromEntries(variables.map(asQuestion)) : undefined,
  });
}

/** The first package that a host starts as a program says what it needs. */
function inputsOf({ packages }: Json): Json {
  const isProgram = ({ transport }: Json) => isObject(transport) && transport['type'] === 'stdio';
  return listOf(packages).find(isProgram) ?? {};
}

function words({ type, name, value }: Json): string[] {
  const texts = type === 'named' ? [name, value] : [value];
  return texts.filter((text): text is string => typeof text === 'string');
}

const keyOf = (variable: string) => variable.toLowerCase();

/** What the host asks when it installs the bundle. It keeps secrets in the key store of the system. */
function asQuestion({ name, description, isRequired, isSecret, default: preset }: Json): [string, Json] {
  const isOptional = isRequired !== true;
  const question = {
    type: 'string',
    title: String(name),
    description: typeof description === 'string' ? description : `The variable ${String(name)} of the server`,
    required: !isOptional,
    sensitive: isSecret === true,
    // Without a default the host would pass on the placeholder itself.
    default: typeof preset === 'string' ? preset : isOptional ? '' : undefined,
  };
  return [keyOf(String(name)), definedOnly(question)];
}

/**
 * `Ann <ann@example.com> (https://ann.example)`, or an object with the same parts.
 *
 * @throws {CommandError} if there is none
 */
export function authorOf(author: unknown): Json {
  const [, name, email, url] =
    typeof author === 'string' ? (/^([^<(]+?)\s*(?:<([^>]+)>)?\s*(?:\(([^)]+)\))?$/.exec(author) ?? []) : [];
  const found: Json = isObject(author) ? author : { name, email, url };
  if (typeof found['name'] === 'string')
    return definedOnly({ name: found['name'], email: found['email'], url: found['url'] });
  throw usageError('package.json needs an author, because a bundle names it.');
}

/** The names and descriptions of the tools, for people who decide whether they install the bundle. */
function toolsOf(directory: string): Json[] | undefined {
  const path = join(directory, MANIFEST_FILE);
  if (!existsSync(path)) return undefined;
  return parseManifest(readFileSync(path, 'utf8'), path)
    .entries.filter(({ kinds }) => kinds.includes('tool'))
    .map(({ name, method, description }) =>
      definedOnly({ name: name ?? method, description: description?.split('\n')[0] }),
    );
}

const engineOf = ({ engines }: Json) =>
  isObject(engines) && typeof engines['node'] === 'string' ? engines['node'] : '>=20.19';

const definedOnly = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
