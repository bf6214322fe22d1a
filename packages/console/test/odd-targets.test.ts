import { DevPage } from './support/dev-page.js';
import { rawRequest } from './support/raw-request.js';

test('a web page cannot end the process of a console by a target that is no URL', async () => {
  const page = await DevPage.open();
  for (const path of ['//', '//[', '//?token=x'])
    expect((await rawRequest(page.origin + path, { headers: {} })).status).toBe(401);
  await page.close();
});
