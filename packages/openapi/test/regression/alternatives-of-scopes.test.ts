import { planOperations } from '../../src/model/plan-operations';
import { readSpecification } from '../../src/read/read-specification';

const securitySchemes = {
  oa: { type: 'oauth2', flows: {} },
  k: { type: 'apiKey', in: 'header', name: 'X-Key' },
};

/** What callers of an operation with these alternatives need, and what the report notes. */
async function planned(security: object[], paths = ['/a']) {
  const item = { get: { security, responses: {} } };
  const specification = await readSpecification({
    openapi: '3.1.0',
    info: { title: 'Any', version: '1' },
    components: { securitySchemes },
    paths: Object.fromEntries(paths.map((path) => [path, item])),
  });
  const { operations, notes } = planOperations(specification);
  return { scopes: operations[0]!.scopes, notes };
}

test.each([
  [[{ oa: ['read', 'write'] }, { oa: ['read'] }], ['read']],
  [[{ oa: ['read'] }, { oa: ['read'], k: [] }], ['read']],
  [[{ oa: ['admin'] }], ['admin']],
  [[{ oa: ['admin'] }, {}], []],
  [[{ k: [] }], []],
])('of %j callers need %j, and nothing is lost', async (security, scopes) => {
  expect(await planned(security)).toEqual({ scopes, notes: [] });
});

test.each([
  [[{ oa: ['read'] }, { oa: ['admin'] }], ['read']],
  [[{ oa: ['admin'] }, { k: [] }], ['admin']],
  [[{ k: [] }, { oa: ['admin'] }], ['admin']],
])('of %j callers need %j, and the report notes that the API takes another', async (security, scopes) => {
  const { scopes: needed, notes } = await planned(security);
  expect(needed).toEqual(scopes);
  expect(notes).toEqual([expect.stringContaining('security of GET /a has alternatives with other scopes')]);
});

test('many operations with alternatives are one note', async () => {
  const { notes } = await planned([{ oa: ['read'] }, { k: [] }], ['/a', '/b', '/c']);
  expect(notes).toEqual([expect.stringContaining('security of GET /a and of 2 more has alternatives')]);
});
