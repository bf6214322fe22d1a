import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ProjectFolder, programs } from './support/project-folder.js';

let project: ProjectFolder;
beforeEach(() => (project = new ProjectFolder()));
afterEach(() => project.remove());

/** Puts a package into the project that brings a command. */
function install(name: string, words: readonly string[], run: string): void {
  const command = `{ words: ${JSON.stringify(words)}, description: '', help: '', run: ${run},
    argument: { name: 'x', description: '', optional: true },
    options: [{ flag: '--url <url>', description: '' }, { flag: '--as <user>', description: '' },
      { flag: '-H, --header <header>', description: '', repeated: true }] }`;
  project.write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'commands.js' }));
  project.write(`node_modules/${name}/commands.js`, `exports.commands = [${command}];`);
}

/** In a process of its own: Jest would find the packages of this repository. */
async function toolwright(...args: string[]) {
  const env = { ...process.env, NODE_PATH: '' };
  const child = spawn(process.execPath, [programs.toolwright, ...args], { env, cwd: project.folder });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: code as number, stdout, stderr };
}

test('the JSON of a package can be read, whatever is in its texts', async () => {
  // A joiner, a mark on a mark, an escape sequence, a character of another direction.
  const value = { text: 'a\u200db e\u0301\u0301\u0301\u0301 \u001b[8m \u202e', count: 12n.toString() };
  install('@toolwright/mount', ['mount'], `(_x, _v, console) => (console.json(${JSON.stringify(value)}), 0)`);
  const { code, stdout } = await toolwright('mount', 'any');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(value);
  expect(['\u200d', '\u001b', '\u202e'].filter((each) => stdout.includes(each))).toEqual([]);
});

test('"views test" signs in with a header, as list and call do', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const http = createServer((req, res) => {
    seen.push(req.headers);
    res.writeHead(403).end();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const use = `(_x, values, console) => console.withServer(values, () => Promise.resolve(0))`;
  install('@toolwright/views', ['views', 'test'], use);
  const { code, stderr } = await toolwright(
    'views',
    'test',
    '--url',
    url,
    '-H',
    'Authorization: Bearer t',
    '-H',
    'X-A: b',
  );
  http.close();
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('answered 403') });
  expect(seen[0]).toMatchObject({ authorization: 'Bearer t', 'x-a': 'b' });
});

test.each([
  [['--url', 'nonsense'], /--url is wrong\. It must be an http or https URL/],
  [['--header', 'nonsense'], /--header is wrong\. Write it as "Name: value"/],
  [['--as', 'ann', '--url', 'http://127.0.0.1:9/mcp'], /127\.0\.0\.1:9 cannot be reached/],
] as const)('"views test %j" says what is wrong', async (args, words) => {
  install(
    '@toolwright/views',
    ['views', 'test'],
    `(_x, values, console) => console.withServer(values, () => 0)`,
  );
  const { code, stderr } = await toolwright('views', 'test', ...args);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toMatch(words);
});

test('a package writes its report through the command', async () => {
  const cases = [{ name: 'a', group: 'b', problems: ['<wrong>'], kind: 'c' }];
  install(
    '@toolwright/mount',
    ['mount'],
    `(_x, _v, console) => (console.report('r.xml', 'n', ${JSON.stringify(cases)}), 0)`,
  );
  expect((await toolwright('mount', 'any')).code).toBe(0);
  expect(readFileSync(project.path('r.xml'), 'utf8')).toContain(
    '<failure message="&lt;wrong&gt;" type="c">&lt;wrong&gt;</failure>',
  );
});
