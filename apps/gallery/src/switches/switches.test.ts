import { type RefereeOptions, referees } from '../../../pages/test/referees.js';
import { refusalOf } from '../../test/answers.js';
import { ServedTopic } from '../../test/served-topic.js';
import { bearerTokens, hashToken } from '../callers/bearer-tokens.js';
import { FeatureSwitches } from './feature-switches.js';
import { isOffered } from './is-offered.js';
import { ReportTools } from './report-tools.js';

describe.each(referees)('tools that are switched, seen by $name', (referee) => {
  let topic: ServedTopic;
  let switches: FeatureSwitches;

  beforeEach(async () => {
    switches = new FeatureSwitches();
    const callers = Object.fromEntries(
      ['editor', 'admin', 'constructor'].map((role) => [
        hashToken(role),
        { subject: `the ${role}`, scopes: [], claims: { role } },
      ]),
    );
    topic = await ServedTopic.serve(
      {
        services: [ReportTools],
        providers: [{ provide: FeatureSwitches, useValue: switches }],
        authorize: isOffered(switches),
      },
      { authenticate: bearerTokens(callers) },
    );
    switches.onChange(() => topic.server.tools.announceChange());
  });

  afterEach(() => topic.close());

  const connect = (role?: string, options: RefereeOptions = {}) =>
    topic.connect(referee, role ? { headers: { authorization: `Bearer ${role}` }, ...options } : options);

  it.each([
    [undefined, ['list_reports']],
    ['editor', ['delete_report', 'list_reports']],
    ['admin', ['delete_report', 'list_reports', 'switch_feature']],
    ['constructor', ['list_reports']],
  ])('for the role %s are %j', async (role, expected) => {
    const client = await connect(role);

    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(expected);
  });

  it('cannot be called by those who are not shown them', async () => {
    const anonymous = await connect(undefined, { answer: () => 'accept' });

    for (const [tool, args] of [
      ['delete_report', { report: '2026-q1' }],
      ['switch_feature', { feature: 'summaries', on: true }],
      ['summarize_report', { report: '2026-q1' }],
    ] as const) {
      await expect(anonymous.callTool(tool, args)).rejects.toThrow(tool);
    }
    expect(switches.isOn('summaries')).toBe(false);
    expect((await anonymous.callTool('list_reports', {})).structuredContent).toEqual({
      reports: ['2026-q1', '2026-q2'],
    });
  });

  it('come with their feature, and go with it, while clients listen', async () => {
    let hear = () => {};
    const change = () => new Promise<void>((resolve) => (hear = resolve));
    const reader = await connect(undefined, { onToolsChanged: () => hear() });
    const admin = await connect('admin');
    const names = async () => (await reader.listTools()).tools.map(({ name }) => name);

    const came = change();
    await admin.callTool('switch_feature', { feature: 'summaries', on: true });
    await came;

    expect(await names()).toContain('summarize_report');
    expect(await reader.callTool('summarize_report', { report: '2026-q1' })).toMatchObject({
      content: [{ text: 'Sales rose by a tenth.' }],
    });

    const gone = change();
    await admin.callTool('switch_feature', { feature: 'summaries', on: false });
    await gone;

    expect(await names()).not.toContain('summarize_report');
    await expect(reader.callTool('summarize_report', { report: '2026-q1' })).rejects.toThrow();
  });

  it('do what they say for those who may', async () => {
    const editor = await connect('editor', { answer: () => 'accept' });

    expect((await editor.callTool('delete_report', { report: '2026-q2' })).isError).toBeFalsy();
    expect((await editor.callTool('list_reports', {})).structuredContent).toEqual({ reports: ['2026-q1'] });
  });

  it.each([
    ['summarize_report', { report: '2020-q1' }, /Send a name as list_reports gives it/],
    ['summarize_report', { report: 1 }, /report.*string/],
    ['list_reports', { year: 2026 }, /year: not a known property; allowed: none/],
    ['delete_report', { report: '2020-q1' }, /Send a name as list_reports gives it/],
    ['switch_feature', { feature: 'summary', on: true }, /summaries/],
    ['switch_feature', { feature: 'summaries', on: 'yes' }, /on.*boolean/s],
  ])('%s says what to send instead of %j', async (tool, args, hint) => {
    const admin = await connect('admin', { answer: () => 'accept' });
    switches.set('summaries', true);

    expect(refusalOf(await admin.callTool(tool, args))).toMatch(hint);
  });
});
