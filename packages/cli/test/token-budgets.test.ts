import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { compilerOptions } from './support/project-folder.js';
import { runIn } from './support/recording-terminal.js';
import { SmallProject } from './support/small-project.js';

const validators = `import { McpService, McpTool } from '@toolwright/core';
import { IsMobilePhone, IsUrl, IsUUID } from 'class-validator';

export class SiteDto {
  @IsUUID() id!: string;
  @IsUrl() address!: string;
  @IsMobilePhone() phone!: string;
}

@McpService()
export class SiteTools {
  /** Find a site. ${'It is about places and what stands there. '.repeat(20)}Returns its title. */
  @McpTool({ name: 'find_site', annotations: { readOnlyHint: true } })
  findSite(site: SiteDto): string { return site.id; }

  /** Get a site. Returns its title. */
  @McpTool({ name: 'get_sites', annotations: { readOnlyHint: true } })
  getSites(site: SiteDto): string { return site.id; }
}
`;
let sites: SmallProject;
interface Change {
  tool: string;
  impact: string;
  message: string;
}
const toolwright = (...words: string[]) => runIn(sites.folder, ...words);
const diff = async (...more: string[]) => {
  const { status, stdout } = await toolwright('diff', '--json', ...more);
  return { status, changes: JSON.parse(stdout) as Change[] };
};
const settings = (tokens: object | undefined) =>
  sites.write('package.json', JSON.stringify({ name: 'sites', ...(tokens && { toolwright: { tokens } }) }));

beforeAll(async () => {
  sites = new SmallProject({
    'package.json': { name: 'sites' },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    'src/site-tools.ts': validators,
  });
  sites.install({ 'class-validator': 'packages/cli/node_modules/class-validator' });
  expect(sites.compile()).toMatchObject({ status: 0, stdout: '' });
  expect(await toolwright('lock')).toMatchObject({ status: 0, stderr: '' });
});

afterAll(() => sites.remove());

const lock = () => JSON.parse(sites.read('mcp.lock.json')) as Record<string, any>;

test('the lock has the tokens of each tool as the list shows it, and of all', () => {
  const { tokens, tools } = lock();
  const { find_site, get_sites } = tokens.tools as Record<string, number>;
  expect(tokens).toEqual({
    counted: 'o200k',
    total: find_site! + get_sites!,
    tools: { find_site, get_sites },
  });
  // The pattern of @IsUrl alone would take more.
  expect(get_sites).toBeLessThan(180);
  expect(tools.find_site.inputSchema.properties.address.pattern.length).toBeGreaterThan(200);
});

test('lint counts the same tokens as the lock', async () => {
  const { stdout } = await toolwright('lint', '--budget', '10');
  const { total, tools } = lock().tokens;
  expect(stdout).toContain(
    `list-size: the list takes ${total} tokens (o200k) of every conversation, 10 are allowed`,
  );
  expect(stdout).toContain(`find_site ${tools.find_site}, get_sites ${tools.get_sites}`);
});

test('a tool that begins to cut its results is no breaking change, though it has an argument more', async () => {
  const source = 'src/site-tools.ts';
  const before = sites.read(source);
  sites.write(
    source,
    before
      .replace('{ McpService', '{ MaxOutput, McpService')
      .replace(
        "  @McpTool({ name: 'get_sites'",
        "  @MaxOutput({ tokens: 500 })\n  @McpTool({ name: 'get_sites'",
      ),
  );
  sites.compile();
  const { status, changes } = await diff('--no-budgets');
  sites.write(source, before);
  sites.compile();
  expect(changes.filter(({ impact }) => impact === 'breaking')).toEqual([]);
  expect(changes).toContainEqual(
    expect.objectContaining({
      tool: 'get_sites',
      impact: 'compatible',
      path: '/input/properties/cursor',
    }),
  );
  expect(status).toBe(0);
});

test('explain names what is checked and not in the list', async () => {
  const { stdout } = await toolwright('explain', 'find_site');
  expect(stdout).toContain('Checked, and not in the list');
  expect(stdout).toContain('id: the list says format: uuid');
  expect(stdout).toContain('address: the list says a URL such as "https://example.com/page"');
  expect(stdout).toContain('@IsMobilePhone');
});

/** The lock, as if it had been written when the tool took so many tokens. */
const lockedAt = (findSite: number) => {
  const { tokens, ...rest } = lock();
  const tools = { ...tokens.tools, find_site: findSite };
  sites.write('other.lock.json', JSON.stringify({ ...rest, tokens: { ...tokens, tools } }));
};

test('a tool that grows by more than a quarter fails, and diff says what to cut', async () => {
  lockedAt(50);
  const { status, changes } = await diff('--lock', 'other.lock.json');
  expect(status).toBe(1);
  expect(changes).toEqual([
    {
      tool: 'find_site',
      impact: 'budget',
      path: '/tokens',
      message: expect.stringMatching(
        /^takes \d+ tokens, 150 are allowed \(the lock: 50 tokens before\)\. Cut what takes most: its description \d+, /,
      ),
    },
  ]);
  expect(await diff('--lock', 'other.lock.json', '--no-budgets')).toEqual({ status: 0, changes: [] });
});

test('a few words more are allowed', async () => {
  lockedAt(lock().tokens.tools.find_site - 60);
  expect(await diff('--lock', 'other.lock.json')).toEqual({ status: 0, changes: [] });
});

test('a budget of package.json counts, also for the list, and diff says what to merge', async () => {
  settings({ list: 150, tools: { get_sites: 50 } });
  const { status, changes } = await diff();
  expect(status).toBe(1);
  expect(changes.map(({ tool, message }) => `${tool} ${message}`)).toEqual([
    expect.stringMatching(
      /^all tools takes \d+ tokens, 150 are allowed \(package\.json\)\. Merge: find_site and get_sites\./,
    ),
    expect.stringMatching(/^get_sites takes \d+ tokens, 50 are allowed/),
  ]);
  settings({ list: 10_000, tool: 1_000 });
  expect(await diff()).toEqual({ status: 0, changes: [] });
});

test('a wrong budget is told', async () => {
  settings({ lists: 5 });
  expect(await toolwright('diff')).toMatchObject({ status: 2 });
  settings({ tool: 'few' });
  expect((await toolwright('diff')).stderr).toContain('"tool" is a number of tokens.');
  settings(undefined);
});

test('a budget of a tool that does not exist would never fail, so diff names it', async () => {
  settings({ tools: { get_site: 500 } });
  const { status, changes } = await diff();
  expect(status).toBe(1);
  expect(changes).toEqual([
    {
      tool: 'get_site',
      impact: 'budget',
      path: '/tokens',
      message: "has a budget in package.json, and no tool has this name. Did you mean 'get_sites'?",
    },
  ]);
  expect(await diff('--no-budgets')).toEqual({ status: 0, changes: [] });
  settings(undefined);
});

test('budgets of a workspace may name the tools of its other projects', async () => {
  const inside = {
    compilerOptions: { ...compilerOptions, rootDir: '../src', outDir: '../dist' },
    include: ['../src'],
  };
  sites.write('inside/tsconfig.json', JSON.stringify(inside));
  settings({ tools: { tool_of_another_project: 500 } });
  expect(await diff('--project', 'inside/tsconfig.json')).toEqual({ status: 0, changes: [] });
  settings(undefined);
});

test('a lock of an earlier release has no tokens, and nothing fails', async () => {
  const { tokens: _tokens, ...old } = lock();
  sites.write('old.lock.json', JSON.stringify(old));
  expect(await diff('--lock', 'old.lock.json')).toEqual({ status: 0, changes: [] });
});

test('only commands that count load the tokenizer', () => {
  const script = `const { addLock } = require('@toolwright/cli'); console.log(Object.keys(require.cache).some((file) => file.includes('gpt-tokenizer')))`;
  expect(
    execFileSync(process.execPath, ['-e', script], { cwd: join(__dirname, '..'), encoding: 'utf8' }),
  ).toBe('false\n');
});

describe('two versions of a tool', () => {
  const source = 'src/page-tools.ts';
  const pages = `import { McpService, McpTool } from '@toolwright/core';

@McpService()
export class PageTools {
  /**
   * Search pages by several words. Returns titles.
   * @param words the words to look for
   */
  @McpTool({ name: 'search_pages', version: '2', annotations: { readOnlyHint: true, openWorldHint: false } })
  byWords(/** @maxItems 9 */ words: string[]): string[] { return words; }

  /**
   * Search pages by a word. Returns titles.
   * @param word the word to look for
   */
  @McpTool({ name: 'search_pages', version: '1', annotations: { readOnlyHint: true, openWorldHint: false } })
  byWord(/** @maxLength 99 */ word: string): string[] { return [word]; }
}
`;
  const change = (text: string, by: string) => {
    expect(pages).toContain(text);
    sites.write(source, pages.replace(text, by));
    sites.compile();
  };
  const LOCK = ['--lock', 'versions.lock.json'];

  beforeAll(async () => {
    sites.write(source, pages);
    expect(sites.compile()).toMatchObject({ status: 0 });
    expect(await toolwright('lock', '--out', 'versions.lock.json')).toMatchObject({ status: 0 });
  });

  test('are both in the lock, and the list counts the newest one', async () => {
    const { tools, versions, tokens } = JSON.parse(sites.read('versions.lock.json')) as Record<string, any>;
    expect(Object.keys(tools)).toEqual(['find_site', 'get_sites', 'search_pages']);
    expect(Object.keys(versions)).toEqual(['search_pages.v1', 'search_pages.v2']);
    expect(Object.keys(versions['search_pages.v1'].inputSchema.properties)).toEqual(['word']);
    expect(Object.keys(tokens.tools)).toEqual(['find_site', 'get_sites', 'search_pages']);
    expect(await diff(...LOCK)).toEqual({ status: 0, changes: [] });
  });

  test('are no duplicates and no look-alikes for lint, and each has its own place', async () => {
    const problems = async (...more: string[]) =>
      (
        JSON.parse((await toolwright('lint', '--format', 'json', ...more)).stdout) as {
          rule: string;
          tool?: string;
        }[]
      ).filter(({ tool }) => tool?.startsWith('search_pages'));
    expect(await problems()).toEqual([]);
    change("version: '1',", "version: '1', deprecated: true, replacedBy: 'search_pages.v3',");
    const location = expect.objectContaining({ file: source }) as object;
    expect(await problems()).toEqual([
      expect.objectContaining({ rule: 'replaced-by', tool: 'search_pages.v1', location }),
    ]);
  });

  test('are compared each for itself: the old one is deprecated, and ends', async () => {
    expect(await diff(...LOCK)).toEqual({
      status: 0,
      changes: [expect.objectContaining({ tool: 'search_pages.v1', impact: 'notable', path: '/deprecated' })],
    });
    sites.write(source, pages.replace(/\n {2}\/\*\*\n {3}\* Search pages by a word[^]*/, '}\n'));
    sites.compile();
    expect(await diff(...LOCK)).toEqual({
      status: 1,
      changes: [expect.objectContaining({ tool: 'search_pages.v1', impact: 'breaking' })],
    });
  });
});
