import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Newcomer } from './newcomer.js';
import { type GuideBlock, readGuide } from './read-guide.js';
import type { Registry } from './registry.js';

const guide = readGuide(join(__dirname, '../../../../docs/getting-started.md'), '## 1. Install');

const commandsOf = (blocks: GuideBlock[]) =>
  blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trim().split('\n'));

/** Declares the test of the guide. It shares the registry of others, because publishing to one takes long. */
export function testLongWay(registry: () => Registry): void {
  let newcomer: Newcomer;

  beforeAll(() => {
    newcomer = new Newcomer(registry().url);
    mkdirSync(join(newcomer.home, 'weather/src'), { recursive: true });
  });

  afterAll(() => newcomer?.leave());

  test('the long way of the guide, typed as it is written, ends with an answered call', async () => {
    const write = (file: string, text: string) => writeFileSync(join(newcomer.home, 'weather', file), text);
    const type = (command: string) =>
      expect({ command, ...newcomer.run('weather', ['sh', '-c', command]) }).toMatchObject({
        command,
        status: 0,
      });
    const [install, build, call] = guide.filter(({ language }) => language === 'sh');

    commandsOf([install!]).forEach(type);
    write('tsconfig.json', guide.find(({ language }) => language === 'json')!.text);
    for (const { file, text } of guide) {
      // Any port, so that the test does not need a free one.
      if (file !== undefined) write(`src/${file}`, text.replace('port: 3000', 'port: 0'));
    }
    const commands = commandsOf([build!]);
    expect(commands.pop()).toBe('npm start');
    commands.forEach(type);

    const app = await newcomer.start('weather');
    try {
      const command = call!.text.trim().replace('toolwright call', `toolwright call --url ${app.url.href}`);
      const answer = newcomer.run('weather', ['sh', '-c', command]);
      expect(JSON.parse(answer.stdout)).toEqual({ city: 'Bern', temperature: 21 });
    } finally {
      await app.stop();
    }
  });
}
