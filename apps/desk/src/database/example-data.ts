interface ExampleTicket {
  readonly subject: string;
  readonly body: string;
  readonly customer: string;
  readonly daysAgo: number;
}

export const exampleTenants = [
  { id: 'acme', name: 'Acme Kettles', plan: 'pro' },
  { id: 'globex', name: 'Globex Logistics', plan: 'free' },
] as const;

/** What each tenant's customers have written so far. */
export const exampleTickets: Readonly<Record<string, readonly ExampleTicket[]>> = {
  acme: [
    {
      subject: 'The kettle does not switch off',
      body: 'It boils until it is empty. I would like my money back.',
      customer: 'iris@example.com',
      daysAgo: 9,
    },
    {
      subject: 'Where is my parcel?',
      body: 'It was due on Monday, and the shop says it is on its way.',
      customer: 'noah@example.com',
      daysAgo: 4,
    },
    {
      subject: 'Invoice with the wrong address',
      body: 'We have moved. Please send the invoice again.',
      customer: 'iris@example.com',
      daysAgo: 1,
    },
  ],
  globex: [
    {
      subject: 'The parcel scanner needs a new battery',
      body: 'It lasts for an hour only.',
      customer: 'depot@example.org',
      daysAgo: 6,
    },
    {
      subject: 'Password reset does not arrive',
      body: 'I have looked in the spam folder.',
      customer: 'lou@example.org',
      daysAgo: 2,
    },
  ],
};

/** What the billing service has charged. */
export const exampleInvoices = [
  { tenant: 'acme', number: 'A-1001', customer: 'iris@example.com', cents: 3_900 },
  { tenant: 'acme', number: 'A-1002', customer: 'noah@example.com', cents: 2_400 },
  { tenant: 'globex', number: 'G-2001', customer: 'depot@example.org', cents: 18_900 },
] as const;
