// Puts guides into a package before it is packed, so that what is installed has its documentation. `guides.mjs` says which:
//   node .ci/package-docs.mjs             in the folder of a package: writes its docs, and the llms.txt of core
//   node .ci/package-docs.mjs <folder>    writes those of all packages, as they are below node_modules
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guidesOf, notPacked } from './guides.mjs';
import { publishedPackages } from './published.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const packages = new Map(publishedPackages(root).map(({ folder, manifest }) => [folder, manifest]));
const { version } = packages.get('core');

/** The package of each guide. */
const owners = new Map(
  Object.entries(guidesOf).flatMap(([owner, guides]) => guides.map((guide) => [guide, owner])),
);
checkHomes();

const target = process.argv[2];
if (target === undefined) writePackage(basename(process.cwd()), process.cwd());
else for (const owner of packages.keys()) writePackage(owner, join(target, packages.get(owner).name));

/** Touches only what is not right yet, because tests pack the same package at the same time. */
function writePackage(owner, folder) {
  const guides = guidesOf[owner] ?? [];
  for (const page of pagesBelow(join(folder, 'docs')))
    if (!guides.includes(page)) rmSync(join(folder, 'docs', page));
  for (const guide of guides) write(join(folder, 'docs', guide), asInstalled(guide, owner));
  if (owner === 'core') write(join(folder, 'llms.txt'), listOfAll());
}

function write(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function pagesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((page) => page.replaceAll('\\', '/'))
    .filter((page) => page.endsWith('.md'));
}

/** Each guide is in exactly one package, and each package that has guides packs them. */
function checkHomes() {
  const pages = pagesBelow(join(root, 'docs')).filter(
    (page) => !/^(?:adr|dist)\/|^\.|node_modules\//.test(page),
  );
  const named = [...notPacked, ...Object.values(guidesOf).flat()];
  const problems = [
    ...pages
      .filter((page) => !named.includes(page))
      .map((page) => `docs/${page} is in no package: add it to .ci/guides.mjs.`),
    ...named
      .filter((page, at) => named.indexOf(page) !== at)
      .map((page) => `.ci/guides.mjs has ${page} twice.`),
    ...named
      .filter((page) => !pages.includes(page))
      .map((page) => `.ci/guides.mjs has ${page}, which does not exist.`),
    ...Object.keys(guidesOf)
      .filter((owner) => !packages.has(owner))
      .map((owner) => `.ci/guides.mjs has packages/${owner}, which nobody installs.`),
  ];
  if (problems.length === 0) return;
  console.error(problems.join('\n'));
  process.exit(1);
}

function folderOf(owner) {
  return packages.get(owner).name;
}

/**
 * The path from one place below node_modules to another. Links between packages follow it: they work where both packages are
 * installed, and elsewhere they name the package that has the guide.
 */
function pathTo(from, to) {
  return posix.relative(posix.dirname(from), to);
}

/** A guide as a reader of the installed package needs it: links lead to guides and READMEs below node_modules, or are gone. */
function asInstalled(guide, owner) {
  const place = `${folderOf(owner)}/docs/${guide}`;
  const away = new Set();
  const text = mapProse(readFileSync(join(root, 'docs', guide), 'utf8'), (prose) =>
    prose.replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words, to) => {
      if (/^([a-z]+:|#)/.test(to)) return link;
      const [path, anchor] = to.split('#');
      const found = placeOf(posix.join('docs', posix.dirname(guide), path));
      if (found === undefined) return words;
      if (found.owner !== owner) away.add(found.owner);
      return `[${words}](${pathTo(place, found.place)}${anchor === undefined ? '' : `#${anchor}`})`;
    }),
  );
  const certain = broughtBy(owner);
  const names = [...away].filter((other) => !certain.has(other)).map((other) => `\`${folderOf(other)}\``);
  if (names.length === 0) return text;
  return `${text}\n---\n\nLinks to other packages work if these are installed: ${names.sort().join(', ')}.\n`;
}

/** Where a file of the repository is below node_modules: a guide, or the README of a package, which npm always packs. */
function placeOf(path) {
  const [, guide] = /^docs\/(.+)$/.exec(path) ?? [];
  const [, readme] = /^packages\/([^/]+)\/README\.md$/.exec(path) ?? [];
  if (owners.has(guide)) {
    const owner = owners.get(guide);
    return { owner, place: `${folderOf(owner)}/docs/${guide}` };
  }
  return packages.has(readme) ? { owner: readme, place: `${folderOf(readme)}/README.md` } : undefined;
}

/** The packages of ours that npm installs with one. */
function broughtBy(owner, found = new Set([owner])) {
  for (const [other, { name }] of packages) {
    if (found.has(other) || !(name in (packages.get(owner).dependencies ?? {}))) continue;
    broughtBy(other, found.add(other));
  }
  return found;
}

function listOfAll() {
  const sections = Object.entries(guidesOf).map(([owner, guides]) => {
    const lines = guides.map((guide) => {
      const text = readFileSync(join(root, 'docs', guide), 'utf8');
      const path = pathTo('@toolwright/core/llms.txt', `${folderOf(owner)}/docs/${guide}`);
      return `- [${titleOf(text)}](${path})${summaryOf(text)}`;
    });
    return `## ${folderOf(owner)}\n\n${lines.join('\n')}`;
  });
  return `# Toolwright ${version}

> A decorator-based framework for Model Context Protocol (MCP) servers in TypeScript. A method with \`@McpTool\` is a tool;
> its signature is the schema. \`toolwright build\` writes the schemas to \`mcp.manifest.json\`, which the server reads.
> These guides belong to the version that is installed. Each package has the guides about itself, in its folder \`docs\`. If a
> guide below is missing, its package is not installed.

${sections.join('\n\n')}
`;
}

/** Changes what stands outside of code blocks. */
function mapProse(markdown, change) {
  return markdown
    .split(/^(\s*```[\s\S]*?^\s*```\s*$)/m)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('');
}

function titleOf(text) {
  return /^# (.+)$/m.exec(text)[1].replaceAll('`', '');
}

/** The first sentence of the first paragraph. A colon ends it only before a list or an example. */
function summaryOf(text) {
  const paragraph = text.split(/\n{2,}/).find((part) => /^(?!```|[#|-]|\d+\.)\S/.test(part));
  const plain = paragraph?.replace(/\s+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const sentence = plain && (/^.+?(?:[.?!](?= |$)|:$)/.exec(plain)?.[0] ?? plain);
  return sentence ? `: ${sentence.trim()}` : '';
}
