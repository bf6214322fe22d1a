import { type Page, summaryOf, titleOf } from './page.js';
import { guideSections } from '../navigation.js';

type Write = (path: string, text: string) => void;

/**
 * The guides for language models, by the convention of llmstxt.org: `llms.txt` lists them, `llms-full.txt` has them all,
 * and each is there alone, as plain text.
 */
export function writePlainText(pages: Page[], write: Write): void {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const sections = Object.entries(guideSections).map(([title, entries]) => ({
    title,
    pages: entries.map((entry) => byPath.get(`${typeof entry === 'string' ? entry : entry[0]}.md`)!),
  }));
  sections.push({ title: 'Errors', pages: [byPath.get('errors.md')!] });
  const all = sections.flatMap((section) => section.pages);
  write(
    'llms.txt',
    [head, ...sections.map(({ title, pages: own }) => `## ${title}\n\n${own.map(lineOf).join('\n')}`)].join(
      '\n\n',
    ) + '\n',
  );
  write('llms-full.txt', [head, ...all.map((page) => asText(page).trim())].join('\n\n') + '\n');
  for (const page of all) write(textPath(page), asText(page));
}

const head = `# Toolwright

> A decorator-based framework for Model Context Protocol (MCP) servers in TypeScript. A method with \`@McpTool\` is a tool;
> its signature is the schema. \`toolwright build\` writes the schemas to \`mcp.manifest.json\`, which the server reads.`;

const textPath = ({ path }: Page) => path.replace(/\.md$/, '.txt');

function lineOf(page: Page): string {
  const summary = summaryOf(page);
  return `- [${titleOf(page)}](${textPath(page)})${summary === undefined ? '' : `: ${summary}`}`;
}

/** Links lead to pages of the site, wherever it is served. */
const asText = ({ markdown, path }: Page) =>
  markdown.replace(/\]\(\/([^)\s#]+)\.md(#[^)\s]*)?\)/g, (_link, target: string, anchor = '') => {
    const up = '../'.repeat(path.split('/').length - 1);
    return `](${up}${target}${anchor})`;
  });
