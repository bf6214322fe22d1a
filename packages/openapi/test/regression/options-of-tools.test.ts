import { ConfigurationError, createMcpServer, RateLimit } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';
import { openApiTools } from '../../src/index';
import { RecordingApi } from '../support/recording-api';

const api = new RecordingApi();
beforeAll(() => api.open());
afterAll(() => api.close());

const paths = {
  '/a': { get: { operationId: 'getA', responses: {} }, delete: { operationId: 'dropA', responses: {} } },
};
const spec = { openapi: '3.1.0', info: { title: 'Any', version: '1' }, paths };
const serverOf = () => createMcpServer({ name: 'any', version: '1.0.0', services: [], logger: silentLogger });

test.each([
  [{ inlcude: ['getA'] }, /no option "inlcude".*include/],
  [{ include: 'getA' }, /include.*a list of patterns/],
  [{ detail: 'much' }, /detail/],
  [{ timeout: 'soon' }, /timeout/],
])('%j is refused by the name of the function, at the line that calls it', async (options, message) => {
  const server = await serverOf();
  const error = await openApiTools(server, { spec, ...(options as object) }).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(ConfigurationError);
  const [problem] = (error as ConfigurationError).problems;
  const { fix, location, message: said } = problem!;
  expect(`${said} ${fix}`).toMatch(message);
  expect(`${said} ${fix}`).toContain('openApiTools');
  expect(JSON.stringify(location)).toContain('options-of-tools.test');
  await server.close();
});

test.each([
  ['get_a', 2],
  ['drop_a', 5],
])('a call of %s costs %d points', async (name, cost) => {
  const server = await serverOf();
  const policies = [RateLimit.entry({ points: 2 * cost, per: '1m' })];
  await openApiTools(server, { spec, baseUrl: api.baseUrl, policies });
  const client = await connect(server);
  const passed: boolean[] = [];
  for (let call = 0; call < 3; call += 1) passed.push((await client.call(name, {})).isError !== true);
  expect(passed).toEqual([true, true, false]);
  await server.close();
});
