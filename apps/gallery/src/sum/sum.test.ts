import { type RefereeClient, referees } from '../../../pages/test/referees.js';
import { refusalOf } from '../../test/answers.js';
import { ServedTopic } from '../../test/served-topic.js';
import { SumTools } from './sum-tools.js';

describe.each(referees)('calculate_sum, called by $name', (referee) => {
  let topic: ServedTopic;
  let client: RefereeClient;

  beforeAll(async () => {
    topic = await ServedTopic.serve({ services: [SumTools] });
    client = await topic.connect(referee);
  });

  afterAll(() => topic.close());

  it.each([
    [2, 3, 5],
    [-1.5, 0.5, -1],
    [0, -0, 0],
    [Number.MAX_SAFE_INTEGER, -1, Number.MAX_SAFE_INTEGER - 1],
  ])('adds %d and %d', async (a, b, sum) => {
    const { structuredContent } = await client.callTool('calculate_sum', { a, b });

    expect(structuredContent).toEqual({ sum });
  });

  it.each([
    [{ a: 1 }, /b.*required|required.*b/is],
    [{ a: 1, b: '2' }, /b.*number/is],
    [{ a: 1, b: null }, /b.*number/is],
    [{ a: 1, b: 2, c: 3 }, /"?c"?/],
    [{ a: Number.MAX_VALUE, b: Number.MAX_VALUE }, /Send numbers that are less far from zero/],
  ])('says what to send instead of %j', async (args, hint) => {
    expect(refusalOf(await client.callTool('calculate_sum', args))).toMatch(hint);
  });
});
