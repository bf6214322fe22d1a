import type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
} from '../../call/operation/operation.js';
import type { Capability } from '../revisions/capabilities.js';
import type { Method } from '../engine.js';
import type { Listing } from '../lists/list-pages.js';

function listMethod<O extends BoundOperation>(
  name: string,
  capability: Capability,
  listing: Listing<O>,
): Method {
  return {
    name,
    capability,
    handle: ({ engine, codec, params, request }) =>
      engine.pages.page(listing, codec, { principal: request.principal, cursor: params['cursor'] }),
  };
}

export const toolsList = listMethod<BoundTool>('tools/list', 'tools', {
  key: 'tools',
  catalogue: ({ tools }) => tools,
  describe: (tool, codec) => codec.tool(tool),
});

export const promptsList = listMethod<BoundPrompt>('prompts/list', 'prompts', {
  key: 'prompts',
  catalogue: ({ prompts }) => prompts,
  describe: (prompt, codec) => codec.prompt(prompt),
});

export const resourcesList = listMethod<BoundResource>('resources/list', 'resources', {
  key: 'resources',
  catalogue: ({ resources }) => resources,
  describe: (resource, codec) => codec.resource(resource),
});

export const resourceTemplatesList = listMethod<BoundResourceTemplate>(
  'resources/templates/list',
  'resources',
  {
    key: 'resourceTemplates',
    catalogue: ({ resourceTemplates }) => resourceTemplates,
    describe: (template, codec) => codec.resourceTemplate(template),
  },
);
