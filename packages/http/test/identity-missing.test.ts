import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = `
const { oauthResourceServer } = require(${JSON.stringify(join(__dirname, '..'))});
const given = { resource: 'https://api.example.com/mcp', issuers: ['https://a.example'] };
try {
  oauthResourceServer({ ...given, ...JSON.parse(process.env.GIVEN) });
  process.stdout.write('no problem');
} catch (error) {
  process.stdout.write(JSON.stringify(error.problems ?? String(error)));
}`;

/** What the built package says in an application in this folder. Without NODE_PATH, with which pnpm would show it all packages. */
const said = (cwd: string, given: object): string =>
  execFileSync(process.execPath, ['-e', script], {
    cwd,
    encoding: 'utf8',
    env: { GIVEN: JSON.stringify(given) },
  });

test.each([['dpop', { dpop: 'accepted' }] as const, ['exchange', { exchange: {} }] as const])(
  'the option %s names the package that is missing, and finds the one of the application',
  (option, given) => {
    expect(JSON.parse(said(tmpdir(), given))).toEqual([
      {
        code: 'TW_PACKAGE_MISSING',
        message: `The option "${option}" of oauthResourceServer needs the package @toolwright/identity, which is not installed here.`,
        fix: `Run \`npm install @toolwright/identity\`, or leave out "${option}".`,
      },
    ]);
    expect(said(join(__dirname, '../../identity'), given)).toBe('no problem');
  },
);

test('without such an option, nothing is missing', () => {
  expect(said(tmpdir(), { dpop: 'off' })).toBe('no problem');
});
