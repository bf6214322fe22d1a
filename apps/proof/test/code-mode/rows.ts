type Data = Record<string, any>;

/** Fields that the specification of the API allows to be null. It answers with each of them. */
const unset = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, null]));
const unsetOfCharge = unset(
  'application application_fee application_fee_amount calculated_statement_descriptor failure_balance_transaction failure_code failure_message invoice on_behalf_of payment_method receipt_email receipt_number review shipping source_transfer statement_descriptor statement_descriptor_suffix transfer_data transfer_group',
);
const unsetOfInvoice = unset(
  'account_tax_ids application application_fee_amount charge custom_fields customer_address customer_phone customer_shipping customer_tax_exempt default_payment_method default_source description discount ending_balance footer from_invoice invoice_pdf last_finalization_error latest_revision next_payment_attempt on_behalf_of payment_intent quote receipt_number rendering_options shipping_cost shipping_details statement_descriptor subscription tax test_clock total_discount_amounts transfer_data webhooks_delivered_at',
);

/** Rows as the APIs have them, with the fields that matter and those that are usual. */
const rows = <T>(many: number, row: (index: number) => T): T[] =>
  Array.from({ length: many }, (_, index) => row(index));
const day = (index: number) => `2026-0${1 + (index % 9)}-${String(1 + (index % 28)).padStart(2, '0')}`;
const seconds = (index: number) => 1_767_225_600 + index * 86_400;

const customer = (index: number) => ({
  id: `cus_${index}`,
  object: 'customer',
  email: `c${index}@example.com`,
  name: `Customer ${index}`,
  country: ['DE', 'FR', 'IT', 'ES'][index % 4]!,
  currency: 'eur',
  balance: -index,
  created: seconds(index),
  delinquent: index % 7 === 0,
  livemode: true,
  address: {
    city: 'Berlin',
    country: 'DE',
    line1: `Street ${index}`,
    line2: null,
    postal_code: '10115',
    state: null,
  },
  invoice_settings: {
    custom_fields: null,
    default_payment_method: `pm_1OqZ8k2eZvKYlo2C${index}`,
    footer: null,
  },
  metadata: { account: `A-${index}` },
  phone: `+49 30 5550${100 + index}`,
  tax_exempt: 'none',
  preferred_locales: ['de'],
});
const charge = (index: number) => ({
  id: `ch_3OqZ8k2eZvKYlo2C${index}`,
  object: 'charge',
  customer: `cus_${index}`,
  amount: 1_000 + index * 13,
  amount_refunded: 0,
  currency: 'eur',
  status: ['succeeded', 'failed', 'pending'][index % 3]!,
  created: seconds(index),
  description: `Order ${4_000 + index}`,
  receipt_url: `https://pay.example.com/receipts/payment/CAcaFwoVYWNjdF8xMDMyRDgyZVp2S1lsbzJD${index}`,
  ...unsetOfCharge,
  captured: true,
  balance_transaction: `txn_3OqZ8k2eZvKYlo2C1zq${index}`,
  billing_details: { email: `c${index}@example.com`, name: `Customer ${index}`, phone: null },
  outcome: {
    network_status: 'approved_by_network',
    risk_level: 'normal',
    risk_score: index,
    type: 'authorized',
  },
  payment_method_details: {
    card: { brand: 'visa', country: 'DE', exp_month: 8, exp_year: 2029, last4: '4242' },
    type: 'card',
  },
});
const invoice = (index: number) => ({
  id: `in_1OqZ8k2eZvKYlo2C${index}`,
  object: 'invoice',
  customer: `cus_${index}`,
  number: `2026-${String(index).padStart(4, '0')}`,
  status: 'open',
  amount_due: 100 * index + (index % 5) * 7,
  amount_paid: 0,
  currency: 'eur',
  created: seconds(index),
  due_date: seconds(index + 30),
  ...unsetOfInvoice,
  collection_method: 'send_invoice',
  customer_email: `c${index}@example.com`,
  lines: [
    { id: `il_1OqZ8k2eZvKYlo2C${index}`, amount: 100 * index, description: 'Plan, one month', quantity: 1 },
  ],
  period: { end: seconds(index), start: seconds(index - 30) },
  hosted_invoice_url: `https://invoice.example.com/i/acct_1032D82eZvKYlo2C/test_YWNjdF8xMDMyRDgy${index}`,
});

const PAGE = 100;

const answers: Readonly<Record<string, (args: Data) => Data>> = {
  stripe_get_customers: ({ limit }) => ({ data: rows(limit, customer), has_more: false }),
  stripe_get_customers_search: () => ({ data: [customer(7)], has_more: false }),
  stripe_get_customers_customer: () => customer(7),
  stripe_get_charges: ({ limit }) => ({ data: rows(limit, charge), has_more: false }),
  stripe_get_invoices: ({ limit }) => ({ data: rows(limit, invoice), has_more: false }),
  stripe_get_subscriptions: () => ({
    data: [{ id: 'sub_7', status: 'active', customer: 'cus_7' }],
    has_more: false,
  }),
  stripe_get_invoices_upcoming: () => invoice(7),
  slack_users_list({ cursor = '0' }) {
    const from = Number(cursor) || 0;
    const members = rows(PAGE, (index) => ({
      id: `U0${from + index}`,
      name: `user${from + index}`,
      real_name: `User Number ${from + index}`,
      tz: ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'][index % 3]!,
      is_admin: index === 0,
      is_bot: false,
      updated: seconds(index),
    }));
    return { members, next_cursor: from < 2 * PAGE ? String(from + PAGE) : '' };
  },
  slack_conversations_list: () => ({
    channels: rows(40, (index) => ({
      id: `C${index}`,
      name: index === 13 ? 'incidents' : `channel-${index}`,
      topic: `What is talked of in channel ${index}`,
      num_members: index * 3,
      is_archived: false,
    })),
  }),
  slack_conversations_history: () => ({
    messages: rows(PAGE, (index) => ({
      type: 'message',
      user: `U0${index % 9}`,
      text: `Message ${index}: the service answers again, and the graph looks as it did before.`,
      ts: `${seconds(index)}.000${index}`,
    })),
  }),
  slack_chat_post_message: ({ body }) => ({
    ok: true,
    channel: String(body.channel),
    ts: `${seconds(1)}.0001`,
  }),
  asana_get_projects: () => ({
    data: rows(10, (index) => ({ gid: `12000${index}`, name: `Project ${index}`, resource_type: 'project' })),
  }),
  asana_get_tasks_for_project: ({ project_gid: gid }) => ({
    data: rows(30, (index) => ({
      gid: `${gid}${index}`,
      name: `Task ${index} of project ${gid}`,
      assignee: ['ann', 'ben', 'cleo'][index % 3]!,
      completed: index % 4 === 0,
      due_on: day(index),
      resource_type: 'task',
    })),
  }),
  notion_query_data_source: () => ({
    results: rows(PAGE, (index) => ({
      object: 'page',
      id: `59833787-2cf9-4fdf-8782-e53db20768${String(index).padStart(2, '0')}`,
      created_time: `${day(index)}T09:00:00.000Z`,
      last_edited_time: `2026-01-${String(1 + (index % 28)).padStart(2, '0')}${index < 28 ? '' : 'X'}T09:00:00.000Z`,
      archived: false,
      url: `https://www.notion.so/Page-${index}-598337872cf94fdf8782e53db20768a5`,
      title: `Page ${index}`,
    })),
  }),
  notion_patch_page: ({ page_id: id, archived }) => ({ object: 'page', id, archived }),
  spotify_get_followed: ({ limit }) => ({
    artists: rows(limit, (index) => ({
      id: `0TnOYISbd1XYRBk9myaseg${index}`,
      name: `Artist ${index}`,
      popularity: 50 + index,
    })),
  }),
  spotify_get_an_artists_top_tracks: ({ id }) => ({
    tracks: rows(10, (index) => ({
      id: `${id}t${index}`,
      name: `Track ${index} of ${id}`,
      popularity: (Number(id.slice(22)) * 7 + index * 11) % 101,
      duration_ms: 180_000 + index,
      explicit: false,
    })),
  }),
  list_tickets: ({ limit = 20 }) => ({ tickets: rows(limit, ticket) }),
  search_tickets: ({ limit = 10 }) => ({ tickets: rows(limit, ticket) }),
  get_ticket: ({ ticketId }) => ({
    ...ticket(Number(ticketId.slice(5))),
    body: `The kettle boils, and then it goes on. ${Number(ticketId.slice(5)) % 2 ? 'The lid is loose.' : 'Nothing else is wrong.'} `.repeat(
      3,
    ),
    resolution: null,
    createdAt: '2026-01-01T09:00:00Z',
    replies: rows(4, (index) => ({
      author: 'ann',
      text: `Reply ${index}: could you send us a picture of it?`,
      at: '2026-01-02T09:00:00Z',
    })),
  }),
  list_agents: () => ({
    agents: ['ann', 'ben', 'cleo'].map((subject) => ({ subject, name: subject.toUpperCase() })),
  }),
  list_invoices: ({ ticketId }) => ({
    invoices: rows(3, (index) => ({
      number: `${ticketId}-${index}`,
      customer: 'iris@example.com',
      cents: 1_900 + index,
      refunded: 0,
    })),
  }),
  assign_ticket: ({ ticketId, agent }) => ({ ...ticket(Number(ticketId.slice(5))), assignee: agent }),
};

function ticket(index: number) {
  return {
    id: `ACME-${index}`,
    subject: `Kettle ${index} does not switch off`,
    customer: `iris${index}@example.com`,
    status: 'open',
    assignee: [null, 'ann', 'ben', 'cleo'][index % 4]!,
    updatedAt: `${day(index)}T09:00:00Z`,
    uri: `ticket://ACME-${index}`,
  };
}

/** What a tool of the jobs answers, and the schema of it. Other tools are not called. */
export function answering(name: string): { handler(args: Data): Data; outputSchema: Data } | undefined {
  const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
  if (!answer) return undefined;
  const sample = answer({
    limit: 1,
    body: {},
    id: '',
    page_id: '',
    archived: true,
    ticketId: 'ACME-1',
    agent: '',
    project_gid: '',
  });
  return { handler: (args) => answer(args), outputSchema: schemaOf(sample) };
}

/** The schema of data such as this. */
function schemaOf(value: unknown): Data {
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
  if (typeof value !== 'object' || value === null)
    return { type: value === null ? ['string', 'null'] : typeof value };
  const entries = Object.entries(value);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, each]) => [name, schemaOf(each)])),
    required: entries.map(([name]) => name),
  };
}
