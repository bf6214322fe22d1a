/** Well-formed requests that the fuzzer starts from: method and parameters. None of them takes long. */
export const seeds: readonly [method: string, params: Record<string, unknown>][] = [
  ['tools/list', {}],
  ['tools/list', { cursor: 'WyJ0b29scyIsImVjaG8iXQ' }],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['tools/call', { name: 'echo', arguments: { text: 'x' } }],
  ['tools/call', { name: 'add', arguments: { a: 1, b: 2 } }],
  ['tools/call', { name: 'test_multiple_content_types', arguments: {} }],
  ['tools/call', { name: 'xhdr', arguments: { s: 'x', n: 1, b: true, nested: { t: 'y' } } }],
  ['tools/call', { name: 'fail' }],
  ['prompts/get', { name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } }],
  ['prompts/get', { name: 'test_prompt_with_image' }],
  ['resources/read', { uri: 'test://template/1/data' }],
  ['resources/read', { uri: 'test://static-binary' }],
  [
    'completion/complete',
    {
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 't' },
      context: { arguments: { arg2: 'b' } },
    },
  ],
  ['unknown/method', {}],
];

export const modernSeeds: typeof seeds = [
  ...seeds,
  ['server/discover', {}],
  ['subscriptions/listen', { notifications: 5 }],
  [
    'tools/call',
    {
      name: 'test_input_required_result_elicitation',
      arguments: {},
      inputResponses: { user_name: { action: 'accept', content: { name: 'Ada' } } },
    },
  ],
  ['tools/call', { name: 'test_input_required_result_tampered_state', requestState: 'AAAA' }],
];

export const legacySeeds: typeof seeds = [
  ...seeds,
  ['ping', {}],
  ['logging/setLevel', { level: 'info' }],
  ['resources/subscribe', { uri: 'test://watched-resource' }],
  ['resources/unsubscribe', { uri: 'test://watched-resource' }],
  [
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
  ],
];
