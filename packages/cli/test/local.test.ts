import { addingServer, oldServer, servesHttp, servesStdio } from './support/adding-server.js';
import { SmallProject } from './support/small-project.js';

/**
 * Servers as programs: over HTTP, over stdio on both eras, over stdio on the older era only, and broken ones.
 */
const files = {
  'package.json': { name: 'programs' },
  'server.js': addingServer('programs'),
  'http.js': servesHttp("console.log('Ready.\\nlistening on ' + url)"),
  'stdio.js': servesStdio("console.error('starting');"),
  'old.js': oldServer("console.log('Welcome to the old server');"),
  'broken.js': "console.error('no database');\nprocess.exitCode = 3;\n",
};

let project: SmallProject;

beforeAll(() => (project = new SmallProject(files)));
afterAll(() => project.remove());

const add = ['add', '--a', '2', '--b', '3'];

test('an HTTP app is started for a call, and stopped', () => {
  expect(project.toolwright('call', '--app', 'http.js', ...add)).toEqual(
    expect.objectContaining({ status: 0, stdout: '5', stderr: '' }),
  );
  expect(project.toolwright('list', '--app', '"./http.js"', '--json')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('"name": "add"'),
  });
});

test('a server is started and used over its standard input and output', () => {
  const called = project.toolwright('call', '--stdio', 'node stdio.js', ...add);
  expect(called).toMatchObject({ status: 0, stdout: '5', stderr: 'starting\n' });
});

test('so is a server that supports only an older revision, and prints a greeting when it starts', () => {
  expect(project.toolwright('call', '--stdio', 'old.js', 'add')).toMatchObject({
    status: 0,
    stdout: 'old',
  });
  expect(project.toolwright('list', '--stdio', 'old.js')).toMatchObject({ status: 0, stdout: 'add\n' });
});

test.each([
  ['--app', 'broken.js', /no database\nerror: broken\.js ended with 3 and did not say where it listens\.\n$/],
  ['--stdio', 'broken.js', /^no database\nerror: broken\.js ended with 3 before it answered\.\n$/],
  [
    '--app',
    'no-such-program',
    /^error: no-such-program cannot be started: there is no program no-such-program\.\n$/,
  ],
  [
    '--stdio',
    'no-such-program x',
    /^error: no-such-program x cannot be started: there is no program no-such-program\.\n$/,
  ],
])('%s %s fails with the output of the program', (flag, line, message) => {
  const { status, stdout, stderr } = project.toolwright('list', flag, line);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(message);
});

test.each([
  ['--app', 'nofile.js'],
  ['--stdio', 'nofile.js'],
  ['--app', 'node nofile.js'],
  ['--stdio', 'node nofile.js --verbose'],
])('%s %s says that there is no such file, and Node.js prints nothing', (...words) => {
  expect(project.toolwright('list', ...words)).toMatchObject({
    status: 2,
    stdout: '',
    stderr: 'error: There is no nofile.js.\n',
  });
});

test('a file of arguments that cannot be read is named in a sentence', () => {
  const said = (input: string) => project.toolwright('call', '--stdio', 'old.js', 'add', '--input', input);
  expect(said('@none.json')).toMatchObject({
    status: 2,
    stderr: 'error: --input cannot be read: there is no none.json.\n',
  });
  expect(said('@.').stderr).toBe('error: --input cannot be read: . is a folder.\n');
});

test('a tool in other letters, or a part of its name, is found', () => {
  const said = (tool: string) => project.toolwright('call', '--stdio', 'old.js', tool).stderr;
  for (const tool of ['ADD', 'Add', 'a-d-d'])
    expect(said(tool)).toBe(`error: The server lists no tool ${tool}. Did you mean add?\n`);
});

test.each([
  ['--app', 'a.js', '--stdio', 'b.js'],
  ['--stdio', ''],
])('wrong usage exits with 2: %s', (...words) => {
  expect(project.toolwright('list', ...words)).toMatchObject({ status: 2, stdout: '' });
});
