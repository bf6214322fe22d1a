import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { Film } from '../../../.ci/test/support/film.js';
import { pictures, pictureScale, takePicture } from '../../../.ci/test/support/pictures.js';
import { DevSession } from '../../../packages/cli/test/support/dev-session.js';
import { onStage } from './on-stage.js';

const file = 'src/note-tools.ts';
const rule = '/** @maximum 20 */ ';
const place = 'limit: integer = 10';

const callText = '\n> tools/call find_notes { query: "milk", limit: 99 }';

const fileOf = (scheme: string) => join(pictures, `edit${scheme === 'dark' ? '-dark' : ''}.webp`);

/** A page with an editor, `toolwright dev` and a client, and what each of them shows. */
class Stage {
  readonly #film: Film;

  constructor(private readonly page: Page) {
    this.#film = new Film(page);
  }

  /** Adds a line to what a part shows. @param ms how long people have for it; 0: the next frame shows it, too */
  async say(part: 'dev' | 'client', text: string, look: 'key' | 'said' | 'good' | 'bad' | '', ms: number) {
    await this.page.evaluate(`say(${JSON.stringify([part, text, look])})`);
    if (ms > 0) await this.#film.take(ms, this.page.locator(`#${part}`));
  }

  /** Shows the file with what was typed so far. */
  async write(title: string, parts: readonly [before: string, typed: string, after: string], ms: number) {
    const isSameTitle = (await this.page.locator('#code h2').textContent()) === title;
    await this.page.evaluate(`write(${JSON.stringify([title, ...parts])})`);
    if (ms > 0) await this.#film.take(ms, this.page.locator(isSameTitle ? '#code .now' : '#code'));
  }

  all(ms: number): Promise<void> {
    return this.#film.take(ms);
  }

  get film(): Film {
    return this.#film;
  }
}

/** What a client knows of the tool, as a signature. */
async function signatureOf({ client }: DevSession): Promise<string> {
  const tool = (await client.tools()).find(({ name }) => name === 'find_notes')!;
  const { properties = {} } = tool.inputSchema as { properties?: Record<string, Record<string, unknown>> };
  const parts = Object.entries(properties).map(([name, { type, maximum }]) =>
    maximum === undefined ? `${name}: ${String(type)}` : `${name}: ${String(type)} up to ${String(maximum)}`,
  );
  return `find_notes(${parts.join(', ')})`;
}

/** Calls the tool with a limit of 99. */
async function answerOf({ client }: DevSession): Promise<readonly [text: string, look: 'good' | 'bad']> {
  const { isError, content } = await client.call('find_notes', { query: 'milk', limit: 99 });
  const [first] = content as { text?: string }[];
  return [first?.text?.split('\n').slice(0, 3).join('\n') ?? '', isError ? 'bad' : 'good'];
}

/** The edit as it happens: nothing that the film shows is made up. */
async function record(stages: readonly Stage[]): Promise<void> {
  const session = await DevSession.start();
  const each = async (act: (stage: Stage) => Promise<void>) => {
    for (const stage of stages) await act(stage);
  };
  try {
    const text = session.project.read(file);
    const from = text.indexOf('  /**\n   * Find notes');
    const to = text.indexOf('  /** Add a note');
    const shown = text.slice(from, to);
    const [before, after] = shown.split(place).map((part) => part.trimEnd()) as [string, string];
    const parts = (typed: string) => [`${before} `.replace(/ +$/, ' '), typed, place + after] as const;
    await each((stage) => stage.write(file, parts(''), 0));
    await each((stage) => stage.say('dev', session.dev.printed.trim().split('\n').at(-1)!.trim(), 'said', 0));
    await each((stage) => stage.say('client', '> tools/list', 'key', 0));
    const signature = await signatureOf(session);
    await each((stage) => stage.say('client', signature, '', 0));
    await each((stage) => stage.say('client', callText, 'key', 0));
    const [answer, look] = await answerOf(session);
    await each((stage) => stage.say('client', answer, look, 0));
    await each((stage) => stage.all(1_600));
    for (let typed = 1; typed <= rule.length; typed++)
      await each((stage) => stage.write(`${file} ●`, parts(rule.slice(0, typed)), 85));

    const subscription = await session.client.listen({ tools: true });
    const changed = subscription.next().then(() => performance.now());
    const saved = performance.now();
    session.project.edit(file, place, rule + place);
    await each((stage) => stage.write(file, parts(rule), 400));
    const [, replaced] = await session.dev.says(/^(replaced .*)$/m);
    const tookMs = Math.round((await changed) - saved);
    await each((stage) => stage.say('dev', replaced!, 'good', 500));
    await each((stage) =>
      stage.say('client', `\n< notifications/tools/list_changed, ${tookMs} ms after the save`, 'said', 700),
    );
    await each((stage) => stage.say('client', '> tools/list', 'key', 300));
    const now = await signatureOf(session);
    await each((stage) => stage.say('client', now, '', 1_200));
    await each((stage) => stage.say('client', callText, 'key', 500));
    const [refused, badLook] = await answerOf(session);
    await each((stage) => stage.say('client', refused, badLook, 3_000));
  } finally {
    await session.end();
  }
}

describeInChromium('the film of an edit that reaches a client', (browser: () => Browser) => {
  test('is taken again with UPDATE_PICTURES=1, lasts ten seconds, plays once, and is small', async () => {
    if (process.env['UPDATE_PICTURES'] === '1') {
      const html = onStage('film.html');
      const schemes = ['light', 'dark'] as const;
      const pages = await Promise.all(
        schemes.map(async (colorScheme) => {
          const viewport = { width: 960, height: 460 };
          const context = await browser().newContext({ viewport, colorScheme, ...pictureScale });
          const page = await context.newPage();
          await page.setContent(html);
          return page;
        }),
      );
      const stages = pages.map((page) => new Stage(page));
      await record(stages);
      await takePicture(pages[0]!, 'edit-still');
      for (const [index, scheme] of schemes.entries()) {
        writeFileSync(fileOf(scheme), stages[index]!.film.bytes());
      }
    }
    for (const scheme of ['light', 'dark']) {
      const film = readFileSync(fileOf(scheme));
      const lengths: number[] = [];
      for (let at = film.indexOf('ANMF'); at >= 0; at = film.indexOf('ANMF', at + 4))
        lengths.push(film.readUIntLE(at + 8 + 12, 3));
      const seconds = lengths.reduce((sum, ms) => sum + ms, 0) / 1_000;
      expect([Math.round(seconds), film.readUInt16LE(film.indexOf('ANIM') + 12)]).toEqual([10, 1]);
      expect(statSync(fileOf(scheme)).size).toBeLessThan(1_000_000);
    }
  });
});
