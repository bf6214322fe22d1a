import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { McpService, McpTool } from '@toolwright/core';
import { handMadeManifest } from '../packages/hand-made-manifest.js';
import { problemsOf } from '../support/booting.js';

type AnyConstructor = new (...parameters: any[]) => object;

const extending = (target: AnyConstructor): any => class extends target {};
const replacing = (_target: AnyConstructor): any => class Notes {};

@extending
@McpService()
class Pages {
  @McpTool() find(query: string): string {
    return query;
  }
}

@replacing
@McpService()
class Notes {
  @McpTool() find(query: string): string {
    return query;
  }
}

const manifest = handMadeManifest({ file: 'src/other.ts', name: 'Other', methods: { find: ['query'] } });

test.each([
  ['is missing', undefined, 'TW_MANIFEST_MISSING'],
  ['has other classes', manifest, 'TW_MANIFEST_UNMATCHED'],
])('a subclass that a class decorator returned is named when the manifest %s', async (_, given, code) => {
  const [problem] = await problemsOf({ services: [Pages], ...(given && { manifest: given }) });
  expect(problem).toMatchObject({ code, fix: expect.stringContaining('below @McpService') });
  expect(problem!.message).toMatch(/@McpService decorates Pages \(.+replaced-classes\.test\.ts:\d+:\d+\)/);
});

/** After a turn, because what a WeakRef gave stays until then. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  await new Promise((resolve) => setImmediate(resolve));
  (runInNewContext('gc') as () => void)();
}

test('a class without decorated methods is named when it took the place of a service that nothing holds any more', async () => {
  await collectGarbage();
  const [problem] = await problemsOf({ services: [Notes] });
  expect(problem).toMatchObject({ code: 'TW_SERVICE_EMPTY' });
  expect(problem!.message).toContain('A class decorator above @McpService may have returned it.');
});
