const { missingPackage } = jest.requireActual<{ missingPackage(name: string): string | undefined }>(
  '../not-tried.mjs',
);

test.each([
  [
    'the claim store: not tried, no Postgres is installed here (Debian: apt-get install postgresql)',
    'postgresql',
  ],
  ['events in Redis was not tried: (Debian: apt-get install redis-server)', 'redis-server'],
  ['a tool is called', undefined],
])('a run names what it could not try (%#)', (name, missing) => {
  expect(missingPackage(name)).toBe(missing);
});
