// Puts the guides into @toolwright/core before it is packed, so that what is installed has its documentation:
//   node .ci/package-docs.mjs [folder]    writes packages/core/docs and packages/core/llms.txt, or below the folder
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = process.argv[2] ?? join(root, 'packages/core');

/** For those who work on the repository, not with the packages. */
const notForUsers = [
  'architecture.md',
  'claims.md',
  'contributing.md',
  'reference-servers.md',
  'releasing.md',
];
const first = ['getting-started.md', 'tutorial.md', 'decorators.md', 'schemas.md', 'errors.md'];

const guides = ['', 'recipes/'].flatMap((folder) =>
  readdirSync(join(root, 'docs', folder))
    .filter((name) => name.endsWith('.md') && !notForUsers.includes(name))
    .map((name) => folder + name),
);
const rank = (name) => (first.includes(name) ? first.indexOf(name) : first.length);
guides.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));

rmSync(join(target, 'docs'), { recursive: true, force: true });
mkdirSync(join(target, 'docs/recipes'), { recursive: true });
const lines = guides.map((name) => {
  const text = readFileSync(join(root, 'docs', name), 'utf8');
  writeFileSync(join(target, 'docs', name), withoutDeadLinks(name, text));
  return `- [${titleOf(text)}](docs/${name})${summaryOf(text)}`;
});
const version = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8')).version;
writeFileSync(join(target, 'llms.txt'), `${head()}\n\n## Guides\n\n${lines.join('\n')}\n`);

function head() {
  return `# Toolwright ${version}

> A decorator-based framework for Model Context Protocol (MCP) servers in TypeScript. A method with \`@McpTool\` is a tool;
> its signature is the schema. \`toolwright build\` writes the schemas to \`mcp.manifest.json\`, which the server reads.
> These guides belong to the version that is installed.`;
}

/** Links to guides stay. What is only in the repository keeps its text. */
function withoutDeadLinks(name, text) {
  return text.replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words, to) => {
    if (/^([a-z]+:|#)/.test(to)) return link;
    return guides.includes(normalize(join(dirname(name), to.split('#')[0]))) ? link : words;
  });
}

function titleOf(text) {
  return /^# (.+)$/m.exec(text)[1].replaceAll('`', '');
}

/** The first sentence of the first paragraph. */
function summaryOf(text) {
  const paragraph = text.split(/\n{2,}/).find((part) => /^(?!```|[#|-]|\d+\.)\S/.test(part));
  const plain = paragraph?.replace(/\s+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const sentence = plain && (/^.+?[.?!:](?= |$)/.exec(plain)?.[0] ?? plain);
  return sentence ? `: ${sentence.trim()}` : '';
}
