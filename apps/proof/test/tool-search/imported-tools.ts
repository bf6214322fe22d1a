import { contractOf } from '../../../../packages/openapi/src/model/tool-contract.js';
import { planOperations } from '../../../../packages/openapi/src/model/plan-operations.js';
import { convertVersion2 } from '../../../../packages/openapi/src/read/convert-version-2.js';
import { readSpecification } from '../../../../packages/openapi/src/read/read-specification.js';
import { ofDirectory, within } from '../specifications.js';
import { toolName } from './requests.js';

/** The APIs that the requests are about: some 1,000 tools. */
const asked = {
  slack: ofDirectory('slack.com'),
  asana: ofDirectory('asana.com'),
  notion: within('@notionhq/notion-mcp-server/scripts/notion-openapi.json'),
  stripe: ofDirectory('stripe.com'),
  spotify: ofDirectory('spotify.com'),
  figma: within('@figma/rest-api-spec/openapi/openapi.yaml'),
  netlify: ofDirectory('netlify.com'),
};

/** With these, some 4,700 tools. */
const others = {
  github: within('@octokit/openapi/generated/api.github.com.json'),
  jira: ofDirectory('atlassian.com/jira'),
  zoom: ofDirectory('zoom.us'),
  trello: ofDirectory('trello.com'),
  bitbucket: ofDirectory('bitbucket.org'),
  xero: ofDirectory('xero.com/xero_accounting'),
  digitalocean: ofDirectory('digitalocean.com'),
  box: ofDirectory('box.com'),
  vercel: ofDirectory('vercel.com'),
  squareup: ofDirectory('squareup.com'),
};

export const specificationOfSearch = asked.slack;

/** The tools of the APIs, as our import makes them, in one server whose names begin with the API. */
export async function importTools(size: 'some' | 'all') {
  const files = Object.entries(size === 'all' ? { ...asked, ...others } : asked);
  const imported = await Promise.all(
    files.map(async ([api, file]) => {
      const plan = planOperations(await readSpecification(file, { convert: convertVersion2 }), {});
      return plan.operations.map((operation) => {
        const { name, description, annotations, inputSchema } = contractOf(operation, plan);
        return {
          name: toolName(api, name),
          description,
          annotations,
          inputSchema,
          category: operation.group,
          exactSchema: true,
          handler: () => 'ok',
        };
      });
    }),
  );
  // A few names are equal after their first 64 characters. A server refuses the second one.
  return [...new Map(imported.flat().map((tool) => [tool.name, tool])).values()];
}
