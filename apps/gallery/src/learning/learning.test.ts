import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RefereeClient, referees } from '../../../pages/test/referees.js';
import { refusalOf, textOf } from '../../test/answers.js';
import { AppHost } from '../../test/app-host.js';
import { describeInChromium } from '../../../../.ci/test/support/chromium.js';
import { ServedTopic } from '../../test/served-topic.js';
import { LearningMedia } from './learning-media.js';
import { LearningTools } from './learning-tools.js';

const tool = 'show_learning_material';
const fileOf = (name: string) => readFileSync(join(__dirname, '..', '..', 'media', name));

describe.each(referees)('learning material, shown by $name', (referee) => {
  let topic: ServedTopic;
  let client: RefereeClient;

  beforeAll(async () => {
    topic = await ServedTopic.serve({ services: [LearningTools, LearningMedia] });
    client = await topic.connect(referee);
  });

  afterAll(() => topic.close());

  const show = async (...forms: string[]) => (await client.callTool(tool, { forms })).content;

  it('is a text', async () => {
    expect(await show('text')).toEqual([
      { type: 'text', text: expect.stringContaining('four points that rest') },
    ]);
  });

  it('is a picture and a sound, with their bytes', async () => {
    const [image, audio] = await show('image', 'audio');

    expect(image).toEqual({
      type: 'image',
      mimeType: 'image/png',
      data: fileOf('standing-wave.png').toString('base64'),
    });
    expect(audio).toEqual({
      type: 'audio',
      mimeType: 'audio/wav',
      data: fileOf('third-harmonic.wav').toString('base64'),
    });
  });

  it('is a link to a film, which can be read', async () => {
    const [link] = await show('video');
    const { contents } = await client.readResource(link!.uri as string);
    const bytes = fileOf('standing-wave.webm');

    expect(link).toMatchObject({ type: 'resource_link', mimeType: 'video/webm', size: bytes.length });
    expect(contents).toEqual([{ uri: link!.uri, mimeType: 'video/webm', blob: bytes.toString('base64') }]);
  });

  it('is a work sheet inside the answer, which can be read by itself as well', async () => {
    const [block] = await show('document');
    const { resource } = block as unknown as { resource: { uri: string; text: string } };

    expect(block).toMatchObject({ type: 'resource', resource: { mimeType: 'text/markdown' } });
    expect(resource.text).toContain('How many nodes');
    expect((await client.readResource(resource.uri)).contents).toEqual([resource]);
  });

  it('is a page for clients that show pages, and advice for all others', async () => {
    const other = await topic.connect(referee, { showsApps: true });

    expect(textOf(await other.callTool(tool, { forms: ['interactive'] }))).toContain('can be chosen');
    expect(textOf(await client.callTool(tool, { forms: ['interactive'] }))).toContain(
      'the resource ui://gallery/standing-wave',
    );
  });

  it('is all of it when nothing is said', async () => {
    const { content } = await client.callTool(tool, {});

    expect(content.map(({ type }) => type)).toEqual([
      'text',
      'image',
      'audio',
      'resource_link',
      'resource',
      'text',
    ]);
  });

  it.each([
    [{ forms: ['film'] }, /forms.*one of "text", "image", "audio", "video", "document", "interactive"/],
    [{ forms: 'text' }, /forms.*array/],
    [{ forms: [] }, /forms/],
    [{ forms: ['text', 'text'] }, /forms: no two equal items/],
    [{ form: 'text' }, /forms/],
  ])('%j is answered with what to send instead', async (args, hint) => {
    expect(refusalOf(await client.callTool(tool, args))).toMatch(hint);
  });

  describeInChromium('in a host with MCP Apps', (browser) => {
    let host: AppHost;

    const status = (text: string) => host.frame.getByRole('status').getByText(text).waitFor();
    const setHarmonic = (value: string) => host.frame.getByRole('slider', { name: 'Harmonic' }).fill(value);

    afterEach(async () => {
      expect(await host.close()).toEqual({});
      expect(host.faults).toEqual([]);
    });

    it('is a string that swings as a person chooses', async () => {
      host = await AppHost.open(browser(), { client, tool, capabilities: {} });
      await status('Harmonic 3: 3 arches, 4 nodes, 330 Hz.');
      await setHarmonic('5');
      await status('Harmonic 5: 5 arches, 6 nodes, 550 Hz.');

      expect(await host.frame.locator('.node').count()).toBe(6);
    });

    it('tells the model what was chosen, where the host lets it', async () => {
      host = await AppHost.open(browser(), {
        client,
        tool,
        capabilities: { updateModelContext: { text: {} } },
      });
      await setHarmonic('2');
      await status('Harmonic 2');

      expect(await host.modelContext).toEqual({
        content: [{ type: 'text', text: 'The learner chose: Harmonic 2: 2 arches, 3 nodes, 220 Hz.' }],
      });
    });

    it('sounds', async () => {
      host = await AppHost.open(browser(), { client, tool });
      await host.frame.evaluate(`{
        const { start } = OscillatorNode.prototype;
        OscillatorNode.prototype.start = function () {
          globalThis.heard = this.frequency.value;
          start.call(this);
        };
      }`);
      await host.frame.getByRole('button', { name: 'Play' }).click();

      expect(await host.frame.evaluate('heard')).toBe(330);
    });
  });
});

describeInChromium('the files of the lesson', (browser) => {
  it.each([
    ['a picture', 'img', 'load', 'image/png', 'standing-wave.png', { naturalWidth: 480, naturalHeight: 160 }],
    ['a sound', 'audio', 'loadedmetadata', 'audio/wav', 'third-harmonic.wav', { duration: 1 }],
    [
      'a film',
      'video',
      'loadeddata',
      'video/webm',
      'standing-wave.webm',
      { videoWidth: 480, videoHeight: 160 },
    ],
  ])('are %s that browsers can show', async (_what, element, event, type, file, expected) => {
    const page = await browser().newPage();
    const source = `data:${type};base64,${fileOf(file).toString('base64')}`;
    const seen = await page.evaluate(`new Promise((resolve, reject) => {
      const node = document.createElement('${element}');
      node.addEventListener('${event}', () => resolve(node));
      node.addEventListener('error', () => reject(new Error(node.error?.message ?? 'not shown')));
      node.src = '${source}';
    }).then((node) => Object.fromEntries(${JSON.stringify(Object.keys(expected))}.map((key) => [key, node[key]])))`);
    await page.close();

    expect(seen).toEqual(expected);
  });
});
