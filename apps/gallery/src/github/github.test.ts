import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuditEvent } from '@toolwright/core/ports';
import { type RefereeOptions, referees } from '../../../pages/test/referees.js';
import { refusalOf, textOf } from '../../test/answers.js';
import { ServedTopic } from '../../test/served-topic.js';
import { bearerTokens, hashToken } from '../callers/bearer-tokens.js';
import { GithubClient } from './github-client.js';
import { GithubTools } from './github-tools.js';

const TOKEN = 'github-token-canary';
const issue = { title: 'Teapot leaks', body: 'At the *spout*.', labels: ['bug'] };

/** What stands for GitHub: answers every request as the test says, and remembers it. */
class Github {
  reply: { status: number; headers?: Record<string, string>; body: unknown } = { status: 201, body: {} };
  onRequest: () => void = () => {};
  readonly requests: { method?: string; url?: string; authorization?: string; body: unknown }[] = [];
  private readonly server: Server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      this.onRequest();
      const { method, url, headers } = request;
      this.requests.push({ method, url, authorization: headers.authorization, body: JSON.parse(body) });
      response.writeHead(this.reply.status, this.reply.headers).end(JSON.stringify(this.reply.body));
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

describe.each(referees)('github_create_issue, called by $name', (referee) => {
  const logged: string[] = [];
  const recorded: AuditEvent[] = [];
  let github: Github;
  let topic: ServedTopic;

  beforeEach(async () => {
    github = new Github();
    const log = (...values: unknown[]) => void logged.push(JSON.stringify(values));
    const settings = {
      apiUrl: await github.listen(),
      repository: 'shop/kettles',
      token: TOKEN,
      allowedAddresses: ['127.0.0.1/32'],
    };
    const callers = {
      [hashToken('writer')]: { subject: 'ada', scopes: ['issues:write'] },
      [hashToken('reader')]: { subject: 'ben', scopes: ['issues:read'] },
    };
    topic = await ServedTopic.serve(
      {
        services: [GithubTools],
        providers: [{ provide: GithubClient, useFactory: () => new GithubClient(settings) }],
        logger: { debug: log, info: log, warn: log, error: log },
        audit: { write: (event) => void recorded.push(event), flush: async () => {}, close: async () => {} },
      },
      { authenticate: bearerTokens(callers) },
    );
  });

  afterEach(async () => {
    await topic.close();
    await github.close();
    expect(logged.join('\n')).not.toContain(TOKEN);
  });

  const connect = (token: string, answer?: RefereeOptions['answer']) =>
    topic.connect(referee, { headers: { authorization: `Bearer ${token}` }, answer });

  it('creates an issue when the user agrees to its title', async () => {
    github.reply = {
      status: 201,
      body: { number: 7, html_url: 'https://github.com/shop/kettles/issues/7', id: 1 },
    };
    const asked: string[] = [];
    const client = await connect('writer', (message) => (asked.push(message), 'accept'));
    const { structuredContent } = await client.callTool('github_create_issue', issue);

    expect(structuredContent).toEqual({ number: 7, url: 'https://github.com/shop/kettles/issues/7' });
    expect(asked).toEqual(['Create the issue "Teapot leaks" on GitHub?']);
    expect(github.requests).toEqual([
      { method: 'POST', url: '/repos/shop/kettles/issues', authorization: `Bearer ${TOKEN}`, body: issue },
    ]);
  });

  it('is on record before GitHub hears of it, without the text', async () => {
    recorded.length = 0;
    const before: string[][] = [];
    github.onRequest = () => void before.push(recorded.map(({ event }) => event));
    const client = await connect('writer', () => 'accept');
    await client.callTool('github_create_issue', issue);

    expect(before).toEqual([expect.arrayContaining(['intent', 'confirmed'])]);
    expect(recorded[0]).toMatchObject({
      name: 'github_create_issue',
      principal: { subject: 'ada' },
      loggable: { title: issue.title, labels: issue.labels },
    });
    expect(recorded.map(({ loggable }) => loggable?.['body'])).toEqual(recorded.map(() => undefined));
  });

  it('creates none when the user does not agree', async () => {
    const client = await connect('writer', () => 'decline');

    refusalOf(await client.callTool('github_create_issue', issue));
    expect(github.requests).toEqual([]);
  });

  it('is shown to those alone who may use it', async () => {
    const reader = await connect('reader', () => 'accept');
    const anonymous = await topic.connect(referee);

    for (const client of [reader, anonymous]) {
      expect((await client.listTools()).tools).toEqual([]);
      await expect(client.callTool('github_create_issue', issue)).rejects.toThrow();
    }
    expect(github.requests).toEqual([]);
  });

  it('is out of reach with a token that nobody was given', async () => {
    await expect(connect('guessed')).rejects.toThrow();
  });

  it.each([
    [401, {}, { message: 'Bad credentials' }, /operator has to look after the token/],
    [403, {}, { message: 'Resource not accessible' }, /operator has to look after the token/],
    [403, { 'retry-after': '30' }, { message: 'secondary rate limit' }, /Send it again in 30 s/],
    [404, {}, { message: 'Not Found' }, /operator has to look after the token/],
    [410, {}, { message: 'Issues are disabled' }, /takes no issues/],
    [
      422,
      {},
      { message: 'Validation', errors: [{ field: 'labels', code: 'invalid' }] },
      /labels \(invalid\)/,
    ],
    [429, { 'retry-after': '5' }, { message: 'slow down' }, /Send it again in 5 s/],
    [500, {}, { message: 'internal-canary' }, /Send it again in some minutes/],
    [301, { location: 'http://127.0.0.1:1/' }, {}, /did not answer/],
  ])('says what to do when GitHub answers %d %j', async (status, headers, body, hint) => {
    github.reply = { status, headers, body };
    const client = await connect('writer', () => 'accept');
    const text = refusalOf(await client.callTool('github_create_issue', issue));

    expect(text).toMatch(hint);
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain('canary');
    expect(github.requests).toHaveLength(1);
  });

  it('says that the issue may exist when there is no answer', async () => {
    await github.close();
    const client = await connect('writer', () => 'accept');
    const text = refusalOf(await client.callTool('github_create_issue', issue));
    github = new Github();
    await github.listen();

    expect(text).toContain('have the user look before you send it again');
    expect(text).not.toContain('127.0.0.1');
  });

  it('tells nothing of an answer that it cannot read', async () => {
    github.reply = { status: 201, body: 'canary' };
    const client = await connect('writer', () => 'accept');

    expect(textOf(await client.callTool('github_create_issue', issue))).toMatch(/^Internal error/);
  });

  it.each([
    [{ title: '' }, /title/],
    [{ title: ' ' }, /title/],
    [{ title: 'two\nlines' }, /title/],
    [{ title: 'x'.repeat(257) }, /title.*256/s],
    [{ title: 'x', labels: 'bug' }, /labels.*array/s],
    [{ title: 'x', repository: 'evil/other' }, /repository/],
  ])('says what to send instead of %j', async (args, hint) => {
    const client = await connect('writer', () => 'accept');

    expect(refusalOf(await client.callTool('github_create_issue', args))).toMatch(hint);
    expect(github.requests).toEqual([]);
  });
});
