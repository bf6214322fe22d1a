import { run } from '../src/run.js';
import { RecordingTerminal, toolwright } from './support/recording-terminal.js';

test('help lists every command and the exit codes', async () => {
  const { code, stdout } = await toolwright('--help');
  expect(code).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "Usage: toolwright [options] [command]

    Develops, builds, inspects and runs servers whose tools are decorated methods.

    Options:
      -V, --version                         output the version number
      -h, --help                            display help for command

    Commands:
      dev [options] [entry] [args...]       compile and run an app, and apply your edits while it runs
      run [options] <file>                  serve one file of TypeScript, without a project
      build [options]                       compile the signatures of decorated methods to a manifest
      start [entry] [args...]               run a built app in production
      serve [arguments...]                  serve the MCP servers of a configuration file as one, with
                                            guards and an audit log
      worker [options] [entry]              work on the durable tasks of a built app
      tasks [arguments...]                  list, show, cancel and retry the durable tasks of an app
      keys [arguments...]                   create, list, rotate and revoke the API keys of an app
      grants [arguments...]                 list and revoke what users have granted an app at other
                                            issuers
      subject                               export or erase what an app keeps about a person or a
                                            program
      inspect [options]                     show what the compiler makes of every decorated method,
                                            errors included
      explain [options] <tool>              show the schemas of a tool, where each keyword comes from,
                                            and the steps of a call
      list [options]                        list the tools of a server
      call [options] <tool> [arguments...]  call a tool of a server
      client [options]                      write a typed client in TypeScript, one method per tool
      doctor [options] <url>                sign in at a server step by step, and say which step fails
                                            and what to do
      lock [options]                        write down what callers of the tools, prompts and resources
                                            depend on
      diff [options]                        show which changes since the lock was written break callers
      audit [arguments...]                  verify, query, export and follow an audit log
      usage [arguments...]                  show calls, errors, latency and tokens by tool, client,
                                            tenant, week
      new                                   make an app, or add a tool, resource, prompt, view, skill or
                                            mount to one
      init [options]                        add MCP and a first tool to an existing Express app
      import                                write services from a description of an API
      mount [arguments...]                  try an MCP server: what it offers, and what to look at
                                            before you mount it
      migrate [options]                     turn what the official SDK registers into decorated methods
      install [options]                     add a server to the settings of Claude, VS Code, Cursor and
                                            other hosts
      uninstall [options]                   remove a server from the settings of hosts
      lint [options]                        find what keeps a model from using the tools well
      views                                 look at the pages that tools show
      publish                               write what others need to find, install and run a server
      completion <shell>                    print a script that lets a shell complete toolwright
                                            commands
      help [command]                        display help for command

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
  for (const name of ['verify', 'query', 'export', 'tail'])
    expect(stdout).toContain(`  ${name} [options] <file>`);
});

test('an audit log that does not exist exits with 2 and one line', async () => {
  const { code, stderr } = await toolwright('audit verify /nowhere/audit.jsonl');
  expect(code).toBe(2);
  expect(stderr).toMatch(/no audit log at \/nowhere\/audit\.jsonl/);
});
