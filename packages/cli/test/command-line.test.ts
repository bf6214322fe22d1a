import { createProgram, run } from '../src/run.js';
import { RecordingTerminal, toolwright } from './support/recording-terminal.js';

test('help lists every command and the exit codes', async () => {
  const { code, stdout } = await toolwright('--help');
  expect(code).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "Usage: toolwright [options] [command]

    Develops, builds, inspects and runs servers whose tools are decorated methods.

    Options:
      -V, --version       output the version number
      -h, --help          display help for command

    Make:
      new                 make an app, or add a tool, resource, prompt, view, skill or mount to one
      init                add MCP and a first tool to an existing Express app
      import              write services from an API or a database
      migrate             turn what the official SDK registers into decorated methods
      client              write a typed client in TypeScript, one method per tool

    Try:
      dev                 compile and run an app, and apply your edits while it runs
      run <file>          serve one file of TypeScript, without a project
      list                list the tools of a server
      call <tool>         call a tool of a server
      read                read a resource of a server, or list them
      prompt              get a prompt of a server, or list them
      login <server>      sign in at a server, and keep the token for list, call, read and prompt
      logout <server>     forget the token of a server, and end it at the issuer
      mount               try an MCP server: what it offers, and what to look at before you mount it
      doctor <server>     sign in at a server step by step, and say which step fails and what to do
      install             add a server to the settings of Claude, VS Code, Cursor and other hosts
      uninstall           remove a server from the settings of hosts

    Check:
      inspect             show what the compiler makes of every decorated method, or what a running
                          server offers
      explain <tool>      show the schemas of a tool, where each keyword comes from, and the steps of a
                          call
      lint                find what keeps a model from using the tools well
      views               look at the pages that tools show
      lock                write down what callers of the tools, prompts and resources depend on
      diff                show which changes since the lock was written break callers
      record              run a built app, and record what its clients and it say to each other
      replay              send the calls of a recording to another build, and show what differs

    Run:
      build               compile the signatures of decorated methods to a manifest
      start               run a built app in production
      serve               serve the MCP servers of a configuration file as one, with guards and an audit
                          log
      publish             write what others need to find, install and run a server

    Operate:
      worker              work on the durable tasks of a built app
      tasks               list, show, cancel and retry the durable tasks of an app
      keys                create, list, rotate and revoke the API keys of an app
      grants              list and revoke what users have granted an app at other issuers
      subject             export or erase what is kept about a person, a program or a tenant
      audit               verify, query, export and follow an audit log
      usage               show calls, errors, latency and tokens by tool, client, tenant, week

    This command:
      completion <shell>  print a script that lets a shell complete toolwright commands
      help                display help for command

    Exit codes: 0 done, 1 problems were found or the command failed, 2 the command was not understood.
    NO_COLOR switches colours off, FORCE_COLOR on.
    "
  `);
});

test.each([
  'dev',
  'build',
  'start',
  'client',
  'completion',
  'inspect',
  'explain',
  'list',
  'call',
  'lock',
  'diff',
  'lint',
  'init',
  'migrate',
  'new tool',
  'new prompt',
  'new skill',
  'publish registry',
  'publish bundle',
  'publish image',
  'publish workflow',
])('the help of %s has an example', async (command) => {
  const { code, stdout } = await toolwright(`${command} --help`);
  expect(code).toBe(0);
  expect(stdout).toMatch(/Examples?:\n {2}\$ /);
});

const named = createProgram(new RecordingTerminal(__dirname), () => undefined).commands.map((each) =>
  each.name(),
);

test.each(named.filter((name) => name !== 'help'))('%s --help says what it takes', async (name) => {
  const { code, stdout, stderr } = await toolwright(`${name} --help`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`^Usage: toolwright ${name} .*[<\\[]`));
});

test('the version is that of the package', async () => {
  expect((await toolwright('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  'nonsense',
  'build --nonsense',
  'explain',
  'list --url nonsense',
  'list --header nonsense',
  'audit nonsense',
])('wrong usage exits with 2: %s', async (commandLine) => {
  const { code, stdout, stderr } = await toolwright(commandLine);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: .*\n\(run with --help for usage\)\n$/);
});

test('colours are used only if the terminal shows them', async () => {
  const explain = async (colours: boolean) => {
    const terminal = new RecordingTerminal(__dirname, colours);
    await run(['audit', 'verify', '/nowhere/audit.jsonl'], terminal);
    await run(['inspect', '--project', 'fixtures/notes/tsconfig.json'], terminal);
    return terminal.stdout;
  };
  expect(await explain(true)).toContain('\u001b[1mfind_notes');
  expect(await explain(false)).not.toContain('\u001b');
});

test('the audit commands are those of the audit package', async () => {
  const { code, stdout } = await toolwright('audit --help');
  expect(code).toBe(0);
  for (const name of ['verify', 'query', 'export', 'tail']) expect(stdout).toContain(`  ${name} <file>`);
});

test('an audit log that does not exist exits with 2 and one line', async () => {
  const { code, stderr } = await toolwright('audit verify /nowhere/audit.jsonl');
  expect(code).toBe(2);
  expect(stderr).toMatch(/no audit log at \/nowhere\/audit\.jsonl/);
});

test.each([
  'subject erase --tenant a --tenant b',
  'list --url http://127.0.0.1:1/a --url http://127.0.0.1:1/b',
  'list --url http://127.0.0.1:1/a -u http://127.0.0.1:1/a',
  'call greet --url http://127.0.0.1:1/a --timeout 1s --timeout 2s',
  'call --timeout 1s --timeout 2s greet',
  'audit query a.jsonl --tenant a --tenant=b',
])('an option that takes one value is refused when it is given twice: %s', async (line) => {
  const { code, stderr, stdout } = await toolwright(line);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/takes one value, and was given twice/);
});

test('an option that collects its values, and a flag without one, may be given twice', async () => {
  const { stderr } = await toolwright(
    'call greet -H a:1 -H b:2 --json --json --url http://127.0.0.1:1/a --timeout 1s',
  );
  expect(stderr).not.toMatch(/given twice|unknown option/);
  const negated = await toolwright('diff --no-budgets --no-budgets --lock /nowhere/mcp.lock.json');
  expect(negated.stderr).toMatch(/\/nowhere\/mcp\.lock\.json/);
});
