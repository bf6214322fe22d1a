import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { readSpecification } from '../src/read/read-specification';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));

function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const head = '"openapi":"3.0.3","info":{"title":"a\\"{[:,","version":"1"}';

test.each([
  [`{${head},"paths":{"/a":{},"/a":{}}}`, '#/paths has "/a" twice'],
  [
    `{${head},"paths":{"/a":{"get":{"tags":[{},{"x":1,"\\u0078":2}]}}}}`,
    '#/paths/~1a/get/tags/1 has "x" twice',
  ],
  [`{${head},"info":{}}`, '# has "info" twice'],
])('%s is refused with its place', async (text, words) => {
  await expect(readSpecification(written('api.json', text))).rejects.toThrow(words);
  await expect(readSpecification(written('api.oas', text))).rejects.toThrow(words);
});

test('a part in another file is refused alike', async () => {
  written('part.json', '{"get":{"responses":{}},"get":{}}');
  const whole = written('api.json', `{${head},"paths":{"/a":{"$ref":"part.json"}}}`);
  await expect(readSpecification(whole)).rejects.toThrow('part.json: # has "get" twice');
});

test('the same name in other objects, in texts and in lists is no repetition', async () => {
  const text = `{${head},"x-a":[{"b":1},{"b":1}],"x-b":{"b":"\\"b\\":1,","c":{"b":[]}},"paths":{}}`;
  await expect(readSpecification(written('api.json', text))).resolves.toBeDefined();
});
