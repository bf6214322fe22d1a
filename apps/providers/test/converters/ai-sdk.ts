import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createMCPClient } from '@ai-sdk/mcp';
import { createOpenAI } from '@ai-sdk/openai';
import type { Converter, Declaration, Schema } from './converter.js';
import { fromGoogleSchema } from './from-google-schema.js';

/** The tools of the AI SDK's MCP client, in the request that its package for OpenAI writes. */
export const aiSdkOpenAi: Converter = {
  label: 'AI SDK, OpenAI',
  convert: ({ url }) =>
    convertWith(url, (fetch) => createOpenAI({ apiKey: 'none', fetch })('gpt-5'), readOpenAiRequest),
};

/** The same, in the request that its package for Google writes. */
export const aiSdkGoogle: Converter = {
  label: 'AI SDK, Google',
  convert: ({ url }) =>
    convertWith(
      url,
      (fetch) => createGoogleGenerativeAI({ apiKey: 'none', fetch })('gemini-2.5-flash'),
      readGoogleRequest,
    ),
};

type Fetch = typeof globalThis.fetch;
type Model = ReturnType<ReturnType<typeof createOpenAI>>;
type Prepared = Parameters<Model['doGenerate']>[0];

async function convertWith(
  url: string,
  open: (fetch: Fetch) => Model,
  read: (request: Schema) => Declaration,
): ReturnType<Converter['convert']> {
  const client = await createMCPClient({ transport: { type: 'http', url } });
  const tools = await client.tools();
  await client.close();
  return async ({ name }) => {
    const { description, inputSchema } = tools[name]!;
    const declared = {
      type: 'function' as const,
      name,
      description,
      inputSchema: await (inputSchema as unknown as { jsonSchema: Promise<object> }).jsonSchema,
    };
    return read(await requestOf(open, { tools: [declared], prompt } as unknown as Prepared));
  };
}

const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Go on.' }] }];

/** The body that the model would be asked with; nothing is sent. */
async function requestOf(open: (fetch: Fetch) => Model, options: Prepared): Promise<Schema> {
  let body: string | undefined;
  const model = open(async (_url, init) => {
    body = init?.body as string;
    throw new Error('Nothing is sent.');
  });
  const failure = await Promise.resolve(model.doGenerate(options)).catch((error: unknown) => error);
  if (body === undefined) throw failure;
  return JSON.parse(body) as Schema;
}

function readOpenAiRequest(request: Schema): Declaration {
  const [tool] = request.tools as { description: string; parameters: Schema }[];
  return { description: tool!.description, schema: tool!.parameters };
}

function readGoogleRequest(request: Schema): Declaration {
  const [{ functionDeclarations }] = request.tools as [
    { functionDeclarations: { description: string; parameters: Schema }[] },
  ];
  const [declared] = functionDeclarations;
  return { description: declared!.description, schema: fromGoogleSchema(declared!.parameters) };
}
