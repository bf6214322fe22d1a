import type { BoundTool } from '@toolwright/core';
import { ToolIndex } from '../../src/tool-index.js';

/** The tools of a shop that ships abroad, by their names and what they say. */
const shop = Object.entries({
  get_customer: 'Get a customer by id.',
  list_customers: 'List the customers of the shop.',
  create_customer: 'Create a customer.',
  update_customer: 'Change the name or the address of a customer.',
  merge_customers: 'Merge two customers into one.',
  find_customs_declaration: 'Find the declaration of a parcel for the border.',
  list_custom_fields: 'List the fields that an order has besides its own.',
  authorize_payment: 'Authorize a payment.',
  list_authorizations: 'List authorizations of payments.',
  revoke_authority: 'Take the authority to sign from a person.',
  list_authors: 'List the authors of a book.',
  generate_report: 'Generate a report of sales.',
  generate_label: 'Generate the label of a parcel.',
  get_general_settings: 'Get the settings of the shop.',
  organize_shelf: 'Organize a shelf of the store room.',
  reorganize_store: 'Organize the whole store room.',
  list_organizations: 'List the organizations that buy here.',
  operate_door: 'Operate the door of the store room.',
  list_operators: 'List the operators of machines.',
  count_operations: 'Count the operations of a machine.',
  import_goods: 'Import goods from a file.',
  list_important_orders: 'List orders that cannot wait.',
  mark_important: 'Mark an order that cannot wait.',
  process_return: 'Process a return.',
  list_processors: 'List who handles payments.',
  add_policy: 'Add a rule of the shop.',
  notify_police: 'Tell the police of a theft.',
}).map(([name, description]) => ({
  ...({ kind: 'tool', name, description, annotations: {}, wrapOutput: false } as const),
  inputSchema: { type: 'object' },
})) as unknown as BoundTool[];

const index = new ToolIndex<BoundTool>();
index.keep(shop);
const all = [...shop];
const found = (query: string) => index.find(query, all, 5).map(({ name }) => name);

test.each([
  ['customs', 'find_customs_declaration'],
  ['customs declaration', 'find_customs_declaration'],
  ['find customs papers', 'find_customs_declaration'],
  ['authors', 'list_authors'],
  ['author', 'list_authors'],
  ['authorization', 'list_authorizations'],
  ['authority', 'revoke_authority'],
  ['general', 'get_general_settings'],
  ['organization', 'list_organizations'],
  ['organize', 'organize_shelf'],
  ['operator', 'list_operators'],
  ['operations', 'count_operations'],
  ['import', 'import_goods'],
  ['processors', 'list_processors'],
  ['police', 'notify_police'],
  ['policy', 'add_policy'],
])('The word itself is found before words that share its stem: %s', (query, name) => {
  expect(found(query)[0]).toBe(name);
});

test('Other forms of a word still find it, and so do other words of its stem where nobody has the word', () => {
  expect(found('customer').slice(0, 5)).toEqual(expect.arrayContaining(['list_customers', 'get_customer']));
  expect(found('client')[0]).toMatch(/customer/);
  expect(found('customs')).not.toHaveLength(0);
  expect(found('importing goods')[0]).toBe('import_goods');
  expect(found('organizing')[0]).toBe('organize_shelf');
  expect(found('generation')[0]).toMatch(/^generate_/);
});
