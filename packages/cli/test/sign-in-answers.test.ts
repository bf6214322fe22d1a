import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = `
const { SignInAnswers } = require(${JSON.stringify(join(__dirname, '../dist/dev/console/sign-in-answers.js'))});
const answers = new SignInAnswers({ directory: process.cwd(), refusal: (text) => new Error(text), tell() {} });
answers.methods.startSignIn({ url: process.argv[1] }).then(
  ({ url }) => process.stdout.write('begun at ' + url),
  ({ message }) => process.stdout.write(message),
).finally(() => answers.close());`;

/** What the console of a project in this folder answers. Without NODE_PATH, with which pnpm would show it all packages. */
const said = (cwd: string, url: string): string =>
  execFileSync(process.execPath, ['-e', script, url], { cwd, encoding: 'utf8', env: {} });

test('the doctor is the one of the project, and without it the console says what to install', () => {
  const url = 'http://127.0.0.1:2/mcp';
  expect(said(tmpdir(), url)).toContain('npm install --save-dev @toolwright/identity');
  // The process ends, although nobody has signed in.
  expect(said(join(__dirname, '../../identity'), url)).toBe(`begun at ${url}`);
});

test.each(['mcp', 'file:///etc/passwd', 'javascript:alert(1)'])('%s is no address', (url) => {
  expect(said(tmpdir(), url)).toContain('The address is no URL.');
});
