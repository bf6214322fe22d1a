import { buildManifest, explainProject, formatDiagnostic, inspectProject } from '../src/index.js';
import { TemporaryProject } from './temporary-project.js';

const project = new TemporaryProject({
  'src/jobs.ts': `import { McpTool } from '@toolwright/core'; import { Scheduled as At } from '@toolwright/schedules';
const NIGHT = '0 3 * * *'; declare const cron: string; declare const zone: { timeZone: string };
export class Jobs {
  /** Old entries go. */
  @At(NIGHT, { timeZone: 'Europe/Vienna' }) removeOld() {}
  @At('*/20 * * * * *', { name: 'often' }) static often() {}
  /** Counts. */
  @McpTool() @At('@daily') count(): number { return 1; }
  @At(cron) fromOutside() {}
  @At('@hourly', zone) zoneFromOutside() {}
}`,
  'src/faults.ts': `import * as core from '@toolwright/core'; import * as times from '@toolwright/schedules';
export abstract class Faults {
  @times.Scheduled('61 * * * *') minute() {}
  @times.Scheduled('* * * *') four() {}
  @times.Scheduled('0 0 30 2 *') never() {}
  @times.Scheduled('2027-01-02T00:00:00') date() {}
  @times.Scheduled('@daily', { timeZone: 'Europe/Wien' }) zone() {}
  @core.McpTool() @times.Scheduled('soon') tool() {}
}
export class Derived extends Faults {}`,
});
afterAll(() => project.remove());

test('the build refuses times that cannot be used, each once, at the decorator', async () => {
  const { diagnostics } = await buildManifest({ project: project.project, cache: false });
  const heard = diagnostics.map((each) => formatDiagnostic(each).replace(/\. Write five fields.*$/, ''));
  expect(heard).toEqual([
    'src/faults.ts:3:3: TW_SCHEMA_SCHEDULE: Faults.minute: "61 * * * *" is no cron expression (Invalid value for minute: 61)',
    expect.stringContaining(
      'src/faults.ts:4:3: TW_SCHEMA_SCHEDULE: Faults.four: "* * * *" is no cron expression (',
    ),
    'src/faults.ts:5:3: TW_SCHEMA_SCHEDULE: Faults.never: "0 0 30 2 *" is never due',
    'src/faults.ts:6:3: TW_SCHEMA_SCHEDULE: Faults.date: "2027-01-02T00:00:00" is a date',
    'src/faults.ts:7:3: TW_SCHEMA_SCHEDULE: Faults.zone: "Europe/Wien" is no time zone',
    expect.stringContaining(
      'src/faults.ts:8:19: TW_SCHEMA_SCHEDULE: Faults.tool: "soon" is no cron expression',
    ),
  ]);
  expect(diagnostics.every(({ severity }) => severity === 'error')).toBe(true);
});

test('a file that changes is checked again, and the others come from the cache', async () => {
  const build = () => buildManifest({ project: project.project });
  await build();
  const faults = (await build()).diagnostics.length;
  project.write('src/more.ts', `import { Scheduled } from '@toolwright/schedules';
    export class More { @Scheduled('often') often() {} }`); // prettier-ignore
  expect((await build()).diagnostics).toHaveLength(faults + 1);
  project.delete('src/more.ts');
});

test('inspect shows schedules, also of methods that are nothing else', async () => {
  const entries = await inspectProject({ project: project.project, cache: false });
  const jobs = entries.filter(({ key }) => key.startsWith('src/jobs.ts'));
  expect(jobs.map(({ key, name, description, schedule }) => [key, name, description, schedule])).toEqual([
    [
      'src/jobs.ts#Jobs.count',
      'count',
      'Counts.',
      { name: 'Jobs.count', cron: '@daily', timeZone: 'UTC' },
    ],
    [
      'src/jobs.ts#Jobs.removeOld',
      'Jobs.removeOld',
      'Old entries go.',
      { name: 'Jobs.removeOld', cron: '0 3 * * *', timeZone: 'Europe/Vienna' },
    ],
    ['src/jobs.ts#Jobs::often', 'often', undefined, { name: 'often', cron: '*/20 * * * * *', timeZone: 'UTC' }],
    ['src/jobs.ts#Jobs.fromOutside', 'Jobs.fromOutside', undefined, { name: 'Jobs.fromOutside', timeZone: 'UTC' }],
    ['src/jobs.ts#Jobs.zoneFromOutside', 'src/jobs.ts#Jobs.zoneFromOutside', undefined, { cron: '@hourly' }],
  ]); // prettier-ignore
  const inherited = entries.find(({ key }) => key === 'src/faults.ts#Derived.tool');
  expect(inherited).toBeDefined();
});

test('explain finds a method by the name of its schedule', async () => {
  const explain = async (name: string) =>
    (await explainProject({ project: project.project, name })).explained;
  expect(await explain('often')).toMatchObject({
    entry: { schedule: { cron: '*/20 * * * * *' } },
    input: [],
    output: [],
  });
  expect(await explain('Jobs.count')).toMatchObject({ entry: { name: 'count' } });
  expect(await explain('nothing')).toBeUndefined();
});
