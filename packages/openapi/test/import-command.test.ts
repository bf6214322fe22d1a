import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { commands } from '../src/commands';

let folder: string;
let lines: string[];
beforeEach(() => {
  folder = temporaryFolder();
  lines = [];
  writeFileSync(join(folder, 'petstore.yaml'), readFileSync(join(__dirname, 'fixtures/petstore.yaml')));
});

const [command] = commands;
const run = (values: Record<string, unknown> = {}, file = 'petstore.yaml', more: object = {}) =>
  command!.run(
    file,
    { out: 'src/pets', ...values },
    { cwd: folder, out: (text) => lines.push(text), err: (text) => lines.push(text), ...more },
  );
const read = (name: string) => readFileSync(join(folder, 'src/pets', name), 'utf8');
const write = (name: string, text: string) => writeFileSync(join(folder, 'src/pets', name), text);
const edit = (name: string, from: string, to: string) => {
  expect(read(name)).toContain(from);
  write(name, read(name).replace(from, to));
};
function changeSpecification(change: (document: any) => void): void {
  const document = parse(readFileSync(join(folder, 'petstore.yaml'), 'utf8'));
  change(document);
  writeFileSync(join(folder, 'petstore.yaml'), stringify(document));
}
const isWritten = () => existsSync(join(folder, 'src/pets'));

test('an import writes services, types, a client and an index', async () => {
  expect(await run()).toBe(0);
  expect(readdirSync(join(folder, 'src/pets')).sort()).toEqual([
    '.openapi',
    'account-tools.ts',
    'api.ts',
    'index.ts',
    'pets-tools.ts',
    'types.ts',
  ]);
  expect(read('index.ts')).toContain('export const services = [PetsTools, AccountTools];');
  expect(read('api.ts')).toContain("baseUrl: API_BASE_URL ?? 'https://eu.petstore.example/v1',");
  const tools = read('pets-tools.ts');
  expect(tools).toContain(`  /**
   * Get a pet.
   * @param petId Which pet
   */
  @McpTool({ name: 'get_pet', annotations: { readOnlyHint: true, openWorldHint: true } })
  @CallsApi('GET /pets/{petId}', specification)
  async getPet(/** @minimum 1 */ petId: bigint, ctx: ToolContext): Promise<Pet> {
    return this.api.call({ method: 'GET', path: '/pets/{petId}', auth: [], params: { petId } }, ctx);
  }`);
  expect(tools).toContain("@RequireScopes('pets')");
  expect(tools).toContain("{ by: 'page', at: 'page', size: { name: 'per_page', most: 100 }, limit }");
  expect(tools).toContain("contentType: 'application/merge-patch+json'");
  expect(read('account-tools.ts')).toContain(
    '   */\n  password: string;\n'.replace('   */\n', '  /** @sensitive */\n'),
  );
  expect(read('types.ts')).toContain('export type AnimalInput = CatInput | DogInput;');
  expect(read('types.ts')).toContain("kind: 'dog';");
});

test('the report has the total before anything is written, and what was left out', async () => {
  expect(await run({ report: 'report.json' })).toBe(0);
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  expect(report).toMatchObject({ operations: 8, tools: 6, tokens: { counted: 'bytes/4' } });
  expect(report.skipped).toEqual([
    { operation: 'deletePet', reason: expect.stringContaining('deprecated') },
    { operation: 'getPhoto', reason: expect.stringContaining('file') },
  ]);
  expect(report.tokens.largest[0].tokens).toBeGreaterThan(report.tokens.median);
  expect(report.sensitive).toContainEqual({ tool: 'create_sign_in', argument: 'password' });
  expect(lines[0]).toMatch(/^6 of 8 operations become tools: about [\d,]+ tokens/);
});

test.each([
  [{ include: ['pets'] }, ['list_pets', 'create_pet', 'get_pet', 'update_pet', 'upload_photo']],
  [{ include: ['GET *'] }, ['list_pets', 'get_pet']],
  [{ include: ['deletePet'] }, ['delete_pet']],
  [{ include: ['*Pet'], exclude: ['POST /pets'] }, ['get_pet', 'update_pet']],
  [{ maxTools: '2' }, ['list_pets', 'create_pet']],
])('%j chooses %j', async (values, tools) => {
  expect(await run(values)).toBe(0);
  expect(Object.values(JSON.parse(read('.openapi/import.json')).tools)).toEqual(tools);
});

test('a service per path', async () => {
  expect(await run({ groupBy: 'path' })).toBe(0);
  expect(read('index.ts')).toContain('[PetsTools, SignInTools]');
});

test.each([
  ['a missing file', {}, 'missing.json'],
  ['a URL', {}, 'https://x.example/a.json'],
  ['no operation left', { include: ['nothing'] }, 'petstore.yaml'],
  ['all operations excluded', { exclude: ['*'] }, 'petstore.yaml'],
  ['a broken file', {}, 'broken.json'],
  ['a file that is no specification', {}, 'package.json'],
  ['a folder', {}, '.'],
  ['a file over 64 MB', {}, 'huge.yaml'],
  ['a reference out of the folder', {}, 'leaving.yaml'],
  ['no --out', { out: '' }, 'petstore.yaml'],
  ['an --out that is a file', { out: 'petstore.yaml' }, 'petstore.yaml'],
  ['an --out below a file', { out: 'petstore.yaml/pets' }, 'petstore.yaml'],
  ['a wrong --base-url', { baseUrl: 'ftp://pets.example' }, 'petstore.yaml'],
  ['a wrong --prefix', { prefix: 'my pets' }, 'petstore.yaml'],
  ['a wrong --max-tools', { maxTools: 'none' }, 'petstore.yaml'],
  ['a --report that is a folder', { report: '.' }, 'petstore.yaml'],
  ['a --report in a folder that is missing', { report: 'none/report.json' }, 'petstore.yaml'],
])('%s ends with 1, in one line, and writes nothing; --check ends with 2', async (_name, values, file) => {
  writeFileSync(join(folder, 'broken.json'), '{ "openapi": "3.1.0",');
  writeFileSync(join(folder, 'package.json'), '{ "name": "pets" }');
  writeFileSync(join(folder, 'huge.yaml'), '');
  truncateSync(join(folder, 'huge.yaml'), 64 * 1024 * 1024 + 1);
  writeFileSync(join(folder, 'leaving.yaml'), "openapi: 3.1.0\npaths: { /a: { $ref: '../a.yaml' } }\n");
  expect(await run(values, file)).toBe(1);
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('\n');
  expect(isWritten()).toBe(false);
  expect(await run({ ...values, check: true }, file)).toBe(2);
  expect(isWritten()).toBe(false);
});

test('--check ends with 1 for a folder of others, for conflicts, and for a file that was never merged', async () => {
  mkdirSync(join(folder, 'src/pets'), { recursive: true });
  write('notes.md', 'mine');
  expect(await run({ check: true })).toBe(1);
  await run({ yes: true });
  expect(await run({ check: true })).toBe(0);
  edit('api.ts', 'API_TOKEN', '<<<<<<< yours\nAPI_TOKEN\n=======\nPETS_TOKEN\n>>>>>>> this import');
  expect(await run({ check: true })).toBe(1);
  expect(await run()).toBe(3);
});

test('a pattern that matches nothing is named, beside those that do', async () => {
  expect(await run({ include: ['listPets', 'lisToys'] })).toBe(0);
  expect(lines).toContain('--include lisToys matches no operation.');
  expect(lines.join()).not.toContain('--include listPets');
});

test('a folder with other files is left alone without --yes', async () => {
  mkdirSync(join(folder, 'src/pets'), { recursive: true });
  write('notes.md', 'mine');
  expect(await run()).toBe(2);
  expect(readdirSync(join(folder, 'src/pets'))).toEqual(['notes.md']);
  expect(await run({ yes: true })).toBe(0);
  expect(read('notes.md')).toBe('mine');
});

test('a folder that cannot be made is named', async () => {
  // `/proc` takes no folders, and a file none.
  const place = process.platform === 'linux' ? '/proc' : join(folder, 'petstore.yaml');
  // Errors of files are of another realm here.
  expect(await run({ out: join(place, 'pets') }).then(() => lines.join(), String)).toContain(
    join(place, 'pets'),
  );
});

test('a file with a name of ours is never overwritten, also with --yes', async () => {
  mkdirSync(join(folder, 'src/pets'), { recursive: true });
  write('index.ts', 'mine');
  expect(await run({ yes: true })).toBe(2);
  expect(readdirSync(join(folder, 'src/pets'))).toEqual(['index.ts']);
  expect(read('index.ts')).toBe('mine');
});

test('without .openapi an edited file is not touched', async () => {
  await run();
  edit('api.ts', 'API_TOKEN', 'PETS_TOKEN');
  rmSync(join(folder, 'src/pets/.openapi'), { recursive: true });
  const before = read('api.ts');
  expect(await run()).toBe(2);
  expect(await run({ yes: true })).toBe(2);
  expect(lines.at(-1)).toContain('api.ts');
  expect(read('api.ts')).toBe(before);
});

test('edits survive a new version, and its changes arrive', async () => {
  await run();
  edit('pets-tools.ts', "name: 'get_pet'", "name: 'find_pet'");
  edit('pets-tools.ts', '@RequireScopes', '// reviewed by Ann\n  @RequireScopes');
  edit('types.ts', '  name?: string;', '  name?: string;\n  colour?: string;');
  changeSpecification((document) => {
    document.paths['/pets/{petId}'].get.summary = 'Get one pet by its number';
    document.paths['/pets/{petId}/toys'] = {
      get: {
        operationId: 'listToys',
        tags: ['pets'],
        summary: 'List toys',
        responses: { 204: { description: 'ok' } },
      },
    };
  });
  expect(await run()).toBe(0);
  const tools = read('pets-tools.ts');
  expect(tools).toContain('Get one pet by its number.');
  expect(tools).toContain("name: 'find_pet'");
  expect(tools).toContain('// reviewed by Ann');
  expect(tools).toContain("name: 'list_toys'");
  expect(read('types.ts')).toContain('colour?: string;');
});

test('two changes of one line are a conflict, marked as git does it', async () => {
  await run();
  edit(
    'pets-tools.ts',
    "path: '/sign-in'".replace('/sign-in', '/pets/{petId}/photo'),
    "path: '/pets/{petId}/picture'",
  );
  changeSpecification((document) => {
    document.paths['/pets/{petId}/image'] = document.paths['/pets/{petId}/photo'];
    delete document.paths['/pets/{petId}/photo'];
  });
  expect(await run()).toBe(3);
  expect(read('pets-tools.ts')).toMatch(
    /<{7} yours\n[^]*picture[^]*\n={7}\n[^]*image[^]*\n>{7} this import\n/,
  );
  // It stays a conflict until somebody has decided.
  expect(await run()).toBe(3);
});

test('an operation keeps its tool when the specification renames it', async () => {
  await run();
  changeSpecification((document) => (document.paths['/pets/{petId}'].get.operationId = 'fetchAnimal'));
  expect(await run()).toBe(0);
  expect(read('pets-tools.ts')).toContain("name: 'get_pet'");
});

test('what is gone goes, unless it was edited', async () => {
  await run();
  changeSpecification((document) => delete document.paths['/sign-in']);
  expect(await run()).toBe(0);
  expect(existsSync(join(folder, 'src/pets/account-tools.ts'))).toBe(false);
  expect(read('index.ts')).toContain('[PetsTools]');
});

test('a service that was edited stays when its operations go', async () => {
  await run();
  edit('account-tools.ts', 'Sign in.', 'Sign in with a name.');
  changeSpecification((document) => delete document.paths['/sign-in']);
  expect(await run()).toBe(0);
  expect(read('account-tools.ts')).toContain('Sign in with a name.');
  expect(lines.join('\n')).toContain('account-tools.ts has no tool any more');
});

test('a second import with the choices of the first changes nothing', async () => {
  await run({ include: ['pets'], baseUrl: 'https://pets.example' });
  const before = read('api.ts');
  expect(before).toContain('https://pets.example');
  expect(await run({ check: true })).toBe(0);
  expect(await run()).toBe(0);
  expect(read('api.ts')).toBe(before);
});

test('--check writes nothing, and says whether an import would', async () => {
  expect(await run({ check: true })).toBe(1);
  expect(isWritten()).toBe(false);
  await run();
  edit('api.ts', 'API_TOKEN', 'PETS_TOKEN');
  expect(await run({ check: true })).toBe(0);
  changeSpecification((document) => (document.paths['/pets'].get.summary = 'List all pets'));
  const before = read('pets-tools.ts');
  expect(await run({ check: true })).toBe(1);
  expect(read('pets-tools.ts')).toBe(before);
  expect(await run({ check: true }, 'missing.yaml')).toBe(2);
});

test('an update shows what changed in the contract', async () => {
  await run();
  changeSpecification((document) => (document.paths['/pets/{petId}'].get.summary = 'Get it'));
  const seen: [number, number][] = [];
  await run({}, 'petstore.yaml', {
    changes: (before: object[], after: object[]) => (
      seen.push([before.length, after.length]),
      ['notable  get_pet']
    ),
  });
  expect(seen).toEqual([[6, 6]]);
  expect(lines).toContain('notable  get_pet');
});

test('somebody at a terminal chooses groups with a running total', async () => {
  const questions: string[] = [];
  const answers = ['2', ''];
  const ask = (question: string) => (questions.push(question), Promise.resolve(answers.shift()!));
  expect(await run({}, 'petstore.yaml', { ask })).toBe(0);
  expect(questions[0]).toMatch(/^2 of 2 groups, \d+ tokens/);
  expect(questions[1]).toMatch(/^1 of 2 groups, \d+ tokens/);
  expect(read('index.ts')).toContain('[PetsTools]');
  expect(await run({ check: true })).toBe(0);
});

test('a prefix is before the names of tools and not in the code, and the next import keeps it', async () => {
  await run({ prefix: 'shop_' });
  expect(read('pets-tools.ts')).toMatch(/name: 'shop_get_pet',[^]* async getPet\(/);
  changeSpecification((document) => (document.paths['/pets/{petId}'].get.operationId = 'fetchAnimal'));
  expect(await run({ check: true })).toBe(0);
  expect(await run({ prefix: 'zoo_' })).toBe(0);
  expect(read('pets-tools.ts')).toContain("name: 'zoo_get_pet',");
  expect(await run({ prefix: '' })).toBe(0);
  expect(read('pets-tools.ts')).toContain("name: 'get_pet',");
});

test.each([
  ['async getPet(', 'async findPet('],
  ["name: 'get_pet'", "name: 'find_pet'"],
  ['async getPet(', '@Audit()\n  async findPet('],
])('%s that became %s stays so, whatever the specification says anew', async (from, to) => {
  const get = (document: any) => document.paths['/pets/{petId}'].get;
  const first = (document: any) => document.paths['/pets/{petId}'].parameters[0];
  const changes: ((document: any) => void)[] = [
    (document) => (get(document).summary = 'Fetch the animal with a number'),
    (document) => (get(document).description = 'Words of which there are many. '.repeat(6)),
    (document) => (first(document).description = 'The number of it'),
    (document) => delete first(document).description,
    (document) => (first(document).schema.minimum = 2),
    (document) => delete first(document).schema.minimum,
    (document) => (first(document).schema.format = 'x'.repeat(60)),
    (document) =>
      (first(document).schema = {
        type: 'string',
        pattern: '^[a-z]{3}-[0-9]{4}-[a-z]{3}-[0-9]{4}$',
        default: 'a',
      }),
    (document) =>
      document.paths['/pets/{petId}'].parameters.push({
        name: 'deep',
        in: 'query',
        schema: { type: 'boolean' },
      }),
    (document) => (document.paths['/pets/{petId}'].get.responses = { 204: { description: 'none' } }),
    (document) => (get(document).security = [{ oauth: ['pets'] }]),
  ];
  const conflicts: number[] = [];
  for (const [index, change] of changes.entries()) {
    rmSync(join(folder, 'src'), { recursive: true, force: true });
    writeFileSync(join(folder, 'petstore.yaml'), readFileSync(join(__dirname, 'fixtures/petstore.yaml')));
    await run();
    edit('pets-tools.ts', from, to);
    changeSpecification(change);
    if ((await run()) !== 0) conflicts.push(index);
    expect(read('pets-tools.ts')).toContain(to);
  }
  expect(conflicts).toEqual([]);
});

test('a specification whose file is renamed changes one line', async () => {
  await run();
  const before = new Map(
    readdirSync(join(folder, 'src/pets'))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [name, read(name)]),
  );
  writeFileSync(join(folder, 'pets-2027.yaml'), readFileSync(join(folder, 'petstore.yaml')));
  expect(await run({}, 'pets-2027.yaml')).toBe(0);
  const changed = [...before].filter(([name, text]) => read(name) !== text);
  expect(changed.map(([name]) => name)).toEqual(['api.ts']);
  const lines = (text: string) => text.split('\n');
  const now = lines(read('api.ts'));
  expect(lines(before.get('api.ts')!).filter((line, index) => line !== now[index])).toEqual([
    "export const specification = 'petstore.yaml';",
  ]);
});

test('a change that means the same words is a conflict still', async () => {
  await run();
  edit('pets-tools.ts', '@minimum 1 */', '@minimum 5 */');
  edit(
    'pets-tools.ts',
    "name: 'get_pet', annotations: { readOnlyHint: true",
    "name: 'get_pet', annotations: { readOnlyHint: false",
  );
  changeSpecification((document) => (document.paths['/pets/{petId}'].parameters[0].schema.minimum = 2));
  expect(await run()).toBe(3);
});
