import { cloudSetup } from '../cloud-host.js';
import type { Host } from '../host.js';

const title = 'ChatGPT';

export const chatGpt: Host = {
  id: 'chatgpt',
  title,
  source: 'https://developers.openai.com/apps-sdk/deploy/connect-chatgpt',
  setUp: (server) =>
    cloudSetup(server, { title, company: 'OpenAI' }, (url) => [
      'In ChatGPT on the web, open Settings, then Apps & Connectors, then Advanced settings, and switch on Developer mode.',
      `Go back to Apps & Connectors, choose Create, and paste this URL: ${url}`,
      'Choose Create. Sign in if the server asks for it.',
    ]),
};
