import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseManifest } from '@toolwright/manifest';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { toolwright } from './support/recording-terminal.js';

const notes = join(__dirname, 'fixtures/notes');
const broken = join(__dirname, 'fixtures/broken');
let folder: string;

beforeEach(() => (folder = temporaryFolder()));

describe('toolwright build', () => {
  test('writes the manifest of a project', async () => {
    const out = join(folder, 'deep/manifest.json');
    const { code, stdout, stderr } = await toolwright(`build --out ${out}`, notes);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/3 methods of 1 class$/m);
    const manifest = parseManifest(readFileSync(out, 'utf8'), out);
    expect(manifest.entries.map(({ name }) => name)).toEqual(['find_notes', 'create_note', 'summarize']);
  });

  test('does not write a manifest that would not change', async () => {
    const out = join(folder, 'manifest.json');
    await toolwright(`build --out ${out}`, notes);
    const before = statSync(out, { bigint: true }).mtimeNs;
    expect((await toolwright(`build --out ${out}`, notes)).stdout).toMatch(/\(unchanged\)$/m);
    expect(statSync(out, { bigint: true }).mtimeNs).toBe(before);
  });

  test('prints errors and warnings with their place, and then writes nothing', async () => {
    const out = join(folder, 'manifest.json');
    const { code, stderr } = await toolwright(`build --out ${out}`, broken);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^src\/broken-tools\.ts:6:9: TW_SCHEMA_FUNCTION: error: .*callback/m);
    expect(stderr).toMatch(/^src\/broken-tools\.ts:12:9: warning: TW_SCHEMA_UNTYPED: /m);
    expect(stderr).toMatch(/^src\/broken-tools\.ts:17:3: TW_PATTERN_UNSAFE: error: .*exponential/m);
    expect(stderr).toMatch(/^src\/broken-tools\.ts:11:3: TW_SCHEMA_INVALID: error: .*"guess"/m);
    expect(stderr).toMatch(/^3 errors: .*manifest\.json was not written\.$/m);
    expect(existsSync(out)).toBe(false);
  });

  test('prints paths relative to the working directory', async () => {
    const { stderr } = await toolwright(
      `build --project fixtures/broken/tsconfig.json --out ${folder}/m.json`,
      __dirname,
    );
    expect(stderr).toMatch(/^fixtures\/broken\/src\/broken-tools\.ts:6:9: /m);
  });

  test('says which tsconfig it cannot read', async () => {
    const { code, stderr } = await toolwright('build --project nowhere.json', notes);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: TW_SCHEMA_PROJECT: There is no .*nowhere\.json\. .*--project/);
  });
});

describe('toolwright inspect', () => {
  test('prints every decorated method as JSON, including methods with errors, and succeeds', async () => {
    const { code, stdout } = await toolwright('inspect --json --project tsconfig.json', broken);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        key: 'src/broken-tools.ts#BrokenTools.watch',
        name: 'watch',
        description: 'Cannot be called: a function is no data.',
        output: null,
        wrap: false,
        stream: false,
        flatten: false,
        inject: [],
        revive: {},
        diagnostics: [{ code: 'TW_SCHEMA_FUNCTION', severity: 'error', line: 6, column: 9 }],
      },
      {
        name: 'guess',
        diagnostics: [{ code: 'TW_SCHEMA_UNTYPED', severity: 'warning' }, { code: 'TW_SCHEMA_INVALID' }],
      },
      { name: 'name', diagnostics: [{ code: 'TW_PATTERN_UNSAFE', severity: 'error', line: 17 }] },
    ]);
  });

  test('prints JSON even without a project, and why it is empty', async () => {
    const { code, stdout, stderr } = await toolwright('inspect --json --project nowhere.json', notes);
    expect({ code, stdout: JSON.parse(stdout) }).toEqual({ code: 0, stdout: [] });
    expect(stderr).toMatch(/^error: TW_SCHEMA_PROJECT: .*nowhere\.json/);
    expect((await toolwright('inspect --project nowhere.json', notes)).code).toBe(2);
  });

  test('prints one line per method for people', async () => {
    const { stdout } = await toolwright('inspect', notes);
    expect(stdout).toContain('find_notes   (query, limit?) -> { notes }');
    expect(stdout).toContain('create_note  (text, tags?) -> { id, text }');
  });
});

describe('toolwright explain', () => {
  test('shows where each keyword of a signature comes from', async () => {
    const { code, stdout } = await toolwright('explain find_notes', notes);
    expect(code).toBe(0);
    for (const line of [
      /query \*\s+minLength\s+2\s+<- @minLength\s+src\/note-tools\.ts:32:\d+/,
      /query \*\s+description\s+"words to look for"\s+<- doc comment/,
      /limit\s+type\s+"integer"\s+<- type integer/,
      /limit\s+minimum\s+1\s+<- @minimum/,
      /limit\s+default\s+10\s+<- = 10/,
      /notes\[\]\.id\s+type\s+"string"\s+<- type string\s+src\/note-tools\.ts:5:3/,
    ]) {
      expect(stdout).toMatch(line);
    }
  });

  test('shows which keywords of a DTO come from its decorators, tags and initialisers', async () => {
    const { stdout } = await toolwright('explain create_note', notes);
    expect(stdout).toMatch(/text \*\s+maxLength\s+500\s+<- @MaxLength\(500\)/);
    expect(stdout).toMatch(/text \*\s+description\s+"What to write down\."\s+<- doc comment/);
    expect(stdout).toMatch(/tags\s+maxItems\s+5\s+<- @maxItems/);
    expect(stdout).toMatch(/tags\s+default\s+\[\]\s+<- = \[\]/);
  });

  test('shows the schemas of a project that is not built, and says what is missing', async () => {
    const { code, stdout } = await toolwright('explain find_notes', notes);
    expect(code).toBe(0);
    expect(stdout).toMatch(/dist\/note-tools\.js does not exist\. Build the project first\./);
  });

  test('suggests the nearest name for one that does not exist', async () => {
    const { code, stderr } = await toolwright('explain find_note', notes);
    expect(code).toBe(2);
    expect(stderr).toBe('error: No decorated method is published as find_note. Did you mean find_notes?\n');
  });

  test('prints JSON with --json', async () => {
    const { stdout } = await toolwright('explain --json find_notes', notes);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'find_notes',
      key: 'src/note-tools.ts#NoteTools.findNotes',
      origins: {
        input: expect.arrayContaining([expect.objectContaining({ keyword: 'default', origin: '= 10' })]),
      },
    });
  });
});

describe('a method that runs by a schedule', () => {
  beforeEach(() => {
    const compilerOptions = { module: 'nodenext', target: 'es2022', experimentalDecorators: true, types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'jobs' }));
    writeFileSync(
      join(folder, 'jobs.ts'),
      `import { Scheduled } from '@toolwright/schedules';
export class Jobs {
  /** Old entries go. */
  @Scheduled('0 3 * * *', { timeZone: 'Europe/Vienna' }) removeOld() {}
  @Scheduled(process.env.CRON!) fromOutside() {}
}`,
    );
  });

  test('is shown by inspect and explain', async () => {
    const { stdout } = await toolwright('inspect', folder);
    expect(stdout).toMatch(/^Jobs\.removeOld .* runs at 0 3 \* \* \* \(Europe\/Vienna\)$/m);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      / Jobs\.fromOutside .* runs at times that are known when the server starts/,
    );
    const explained = await toolwright('explain Jobs.removeOld', folder);
    expect(explained.stdout).toMatch(/Old entries go\.\n\nSchedule\n {2}0 3 \* \* \* \(Europe\/Vienna\)/);
    const { stdout: json } = await toolwright('explain --json Jobs.removeOld', folder);
    expect(JSON.parse(json)).toMatchObject({ schedule: { cron: '0 3 * * *', timeZone: 'Europe/Vienna' } });
  });

  test('stops the build if it can never run', async () => {
    writeFileSync(
      join(folder, 'never.ts'),
      `import { Scheduled } from '@toolwright/schedules';
export class Never { @Scheduled('0 0 30 2 *') run() {} }`,
    );
    const { code, stderr } = await toolwright('build', folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^never\.ts:2:22: TW_SCHEMA_SCHEDULE: error: Never\.run: "0 0 30 2 \*" is never due\./m,
    );
  });
});
