import { join, resolve } from 'node:path';
import { readSettings, SettingsError } from './settings.js';

const app = join(__dirname, '..');

describe('the settings', () => {
  it('need no environment', () => {
    expect(readSettings({})).toEqual({
      port: 3000,
      dataFolder: join(app, '.data'),
      importFolder: join(app, '..', '..', 'docs'),
      databaseUrl: undefined,
    });
  });

  it('are read from the environment', () => {
    const environment = {
      PORT: '0',
      PAGES_DATA: 'data',
      PAGES_IMPORT: 'notes',
      DATABASE_URL: 'postgres://localhost/pages',
    };

    expect(readSettings(environment)).toEqual({
      port: 0,
      dataFolder: resolve('data'),
      importFolder: resolve('notes'),
      databaseUrl: 'postgres://localhost/pages',
    });
  });

  it('import nothing when PAGES_IMPORT is empty', () => {
    expect(readSettings({ PAGES_IMPORT: '' }).importFolder).toBeUndefined();
  });

  it.each(['http', '-1', '65536', '3000.5', '0x50', ' 80', '1e3'])('name PORT when it is %j', (port) => {
    expect(() => readSettings({ PORT: port })).toThrow(SettingsError);
    expect(() => readSettings({ PORT: port })).toThrow(
      `PORT: expected a number from 0 to 65535, received "${port}".`,
    );
  });
});
