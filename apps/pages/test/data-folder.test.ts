import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { DatabaseUnavailableError } from '../src/database/database.js';
import { openPglite } from '../src/database/pglite-database.js';

describe('the data folder', () => {
  /** A data folder that was opened once and closed, to be copied: a fresh one takes seconds. */
  const used = temporaryFolder();
  let folder: string;

  beforeAll(async () => (await openPglite(used)).close());

  beforeEach(() => {
    folder = temporaryFolder();
  });

  const copyUsed = () => cpSync(used, folder, { recursive: true });

  it('is refused while somebody else has it open, and free again afterwards', async () => {
    copyUsed();
    const first = await openPglite(folder);

    await expect(openPglite(folder)).rejects.toThrow(
      `The data folder ${folder} is in use by process ${process.pid}. Stop that process, or set PAGES_DATA to another folder.`,
    );
    await first.close();

    const second = await openPglite(folder);
    expect(await second.query('select 1 as one')).toEqual([{ one: 1 }]);
    await second.close();
  });

  it('is taken over from a process that was killed', async () => {
    copyUsed();
    // Above every system's highest process number.
    writeFileSync(join(folder, 'lock'), '2147483646 1');

    const database = await openPglite(folder);
    await database.close();

    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });

  it('is taken over when another program runs under the killed one’s number', async () => {
    copyUsed();
    writeFileSync(join(folder, 'lock'), `${process.ppid} started-at-another-time`);

    await expect(openPglite(folder).then((database) => database.close())).resolves.toBeUndefined();
  });

  it('is created again when the first start was killed half way', async () => {
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '18');
    writeFileSync(join(folder, 'being-created'), '');

    const database = await openPglite(folder);
    await database.close();

    expect(existsSync(join(folder, 'being-created'))).toBe(false);
  });

  it('is named, and left as it is, when it is damaged', async () => {
    copyUsed();
    const control = join(folder, 'postgres', 'global', 'pg_control');
    writeFileSync(control, 'not a control file');

    const opening = openPglite(folder);

    await expect(opening).rejects.toThrow(DatabaseUnavailableError);
    await expect(opening).rejects.toThrow(`The data folder ${folder} cannot be opened as a database`);
    expect(existsSync(control)).toBe(true);
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });

  it('is named when a file lies in its place', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');

    await expect(openPglite(file)).rejects.toThrow(`The data folder ${file} cannot be created`);
  });
});
