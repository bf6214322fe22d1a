import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatManifest, type Manifest } from '@toolwright/manifest';
import {
  type Referee,
  type RefereeClient,
  type RefereeOptions,
  referees,
} from '../../../pages/test/referees.js';
import { builtFile, StartedApp } from '../../../pages/test/started-app.js';
import { refusalOf } from '../../test/answers.js';
import { hashToken } from '../callers/bearer-tokens.js';
import type { PluginChanges } from './plugin-folder.js';

const app = join(__dirname, '..', '..');
/** Below the app, so that plug-ins find the framework as an installed package does. */
const scratch = join(app, '.data');

// In a process of its own: Jest keeps its own books of what is loaded.
describe('a plug-in folder', () => {
  let folder: string;
  let gallery: StartedApp;
  const clients: RefereeClient[] = [];

  beforeAll(async () => {
    mkdirSync(scratch, { recursive: true });
    folder = mkdtempSync(join(scratch, 'plugins-'));
    const callers = join(folder, 'callers.json');
    const operator = { subject: 'operator', scopes: ['plugins:reload'] };
    writeFileSync(callers, JSON.stringify({ [hashToken('operator')]: operator }));
    gallery = await StartedApp.start(builtFile('gallery', 'main.js'), {
      GALLERY_PLUGINS: folder,
      GALLERY_CALLERS: callers,
    });
  });

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    expect(await gallery.stop()).toBe(0);
    rmSync(folder, { recursive: true });
  });

  const connect = async (referee: Referee, options?: RefereeOptions) => {
    const client = await referee.connect({ url: gallery.url }, options);
    clients.push(client);
    return client;
  };

  /** @param verb what this version of the plug-in is about */
  const install = (name: string, verb = 'roll') => {
    const target = join(folder, name);
    for (const part of ['package.json', 'dist', 'mcp.manifest.json'])
      cpSync(join(app, 'plugins', 'dice', part), join(target, part), { recursive: true });
    const edited = (file: string) =>
      readFileSync(join(target, file), 'utf8')
        .replaceAll('roll_dice', `${verb}_dice`)
        .replace('Roll dice.', `Please ${verb} dice.`);
    writeFileSync(join(target, 'dist/dice-tools.js'), edited('dist/dice-tools.js'));
    // What is written by a build has the checksum of what it says.
    const manifest = JSON.parse(edited('mcp.manifest.json')) as Manifest;
    writeFileSync(join(target, 'mcp.manifest.json'), formatManifest(manifest));
  };

  it.each(referees)('brings, exchanges and takes away tools while $name listens', async (referee) => {
    let hear = () => {};
    const change = () => new Promise<void>((resolve) => (hear = resolve));
    const reader = await connect(referee, { onToolsChanged: () => hear() });
    const operator = await connect(referee, { headers: { authorization: 'Bearer operator' } });
    const reload = async () =>
      (await operator.callTool('reload_plugins', {})).structuredContent as PluginChanges;
    const names = async () => (await reader.listTools()).tools.map(({ name }) => name);

    install('dice');
    const came = change();

    expect(await reload()).toEqual({ loaded: ['dice'], unloaded: [], failed: [] });
    await came;
    expect(await names()).toContain('roll_dice');
    const { structuredContent } = await reader.callTool('roll_dice', { dice: 3, sides: 2 });
    const { rolls, sum } = structuredContent as { rolls: number[]; sum: number };
    expect(rolls).toHaveLength(3);
    expect(rolls.every((roll) => roll === 1 || roll === 2)).toBe(true);
    expect(sum).toBe(rolls[0]! + rolls[1]! + rolls[2]!);
    expect(refusalOf(await reader.callTool('roll_dice', { dice: 0 }))).toMatch(/dice/);

    install('dice', 'throw');
    install('twin', 'throw');
    mkdirSync(join(folder, 'empty'));

    expect(await reload()).toEqual({ loaded: ['dice'], unloaded: [], failed: ['empty', 'twin'] });
    const { tools } = await reader.listTools();
    expect(tools.find(({ name }) => name === 'throw_dice')?.description).toMatch(/^Please throw dice/);
    expect(await names()).not.toContain('roll_dice');
    expect((await reader.callTool('throw_dice', {})).isError).toBeFalsy();

    for (const name of ['dice', 'twin', 'empty']) rmSync(join(folder, name), { recursive: true });
    const gone = change();

    expect(await reload()).toEqual({ loaded: [], unloaded: ['dice'], failed: [] });
    await gone;
    expect(await names()).not.toContain('throw_dice');
    await expect(reader.callTool('throw_dice', {})).rejects.toThrow(/throw_dice/);
  });

  it.each(referees)('is for the operator alone to reload, says $name', async (referee) => {
    const reader = await connect(referee);

    expect((await reader.listTools()).tools.map(({ name }) => name)).not.toContain('reload_plugins');
    await expect(reader.callTool('reload_plugins', {})).rejects.toThrow();
  });
});
