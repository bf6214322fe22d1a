import { type RefereeClient, type RefereeOptions, referees } from '../../../pages/test/referees.js';
import { refusalOf, textOf } from '../../test/answers.js';
import { ServedTopic } from '../../test/served-topic.js';
import { Accounts } from './accounts.js';
import { TransferTools } from './transfer-tools.js';

describe.each(referees)('what cannot be undone, asked for by $name', (referee) => {
  let accounts: Accounts;
  let topic: ServedTopic;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    accounts = new Accounts();
    topic = await ServedTopic.serve({
      services: [TransferTools],
      providers: [{ provide: Accounts, useValue: accounts }],
    });
  });

  afterEach(() => topic.close());

  const clientThat = (answer: ReturnType<NonNullable<RefereeOptions['answer']>>): Promise<RefereeClient> =>
    topic.connect(referee, { answer: (message) => (asked.push(message), answer) });
  const silentClient = (): Promise<RefereeClient> => topic.connect(referee);
  const closing = { account: 'savings' };

  it('is done when the user agrees', async () => {
    const client = await clientThat('accept');

    expect((await client.callTool('close_account', closing)).isError).toBeFalsy();
    expect(asked).toEqual(['Close the account "savings", which holds 20000.00, for good?']);
    expect(accounts.has('savings')).toBe(false);
  });

  it('is not done when the user does not agree', async () => {
    const client = await clientThat('decline');

    refusalOf(await client.callTool('close_account', closing));
    expect(asked).toHaveLength(1);
    expect(accounts.has('savings')).toBe(true);
  });

  it('is not done when the client cannot ask', async () => {
    const client = await silentClient();
    const answer = await client.callTool('close_account', closing).catch((error: Error) => error);

    expect(answer instanceof Error ? answer.message : textOf(answer)).toMatch(/elicitation/);
    expect(accounts.has('savings')).toBe(true);
  });

  it('is not asked about when there is nothing to be done', async () => {
    const client = await clientThat('accept');

    refusalOf(await client.callTool('close_account', { account: 'holiday' }));
    expect(asked).toEqual([]);
  });

  it('can wait for an argument where the client cannot ask', async () => {
    const client = await silentClient();
    const first = await client.callTool('empty_account', closing);

    expect(textOf(first)).toContain('confirmation_required');
    expect(textOf(first)).toContain('Empty the account "savings"?');
    expect(textOf(first)).toContain('call again with the same arguments and "confirmed": true');
    expect(accounts.get('savings')).toBe(2_000_000);

    const second = await client.callTool('empty_account', { ...closing, confirmed: true });

    expect(second.structuredContent).toEqual({ account: 'savings', balance: 0 });
  });

  it('moves small amounts without a question', async () => {
    const client = await clientThat('decline');
    const { structuredContent } = await client.callTool('transfer_money', {
      from: 'savings',
      to: 'current',
      amount: 9_999,
    });

    expect(structuredContent).toEqual({ done: true, balance: 1_990_001 });
    expect((await client.callTool('get_balance', { account: 'current' })).structuredContent).toEqual({
      account: 'current',
      balance: 159_999,
    });
    expect(asked).toEqual([]);
  });

  const large = { from: 'savings', to: 'current', amount: 50_000 };

  it('moves what the user chooses, once', async () => {
    const client = await clientThat({ amount: 20_000 });
    const { structuredContent } = await client.callTool('transfer_money', large);

    expect(asked).toEqual(['Move 500.00 from "savings"?']);
    expect(structuredContent).toEqual({ done: true, balance: 1_980_000 });
    expect(accounts.get('current')).toBe(170_000);
  });

  it('moves nothing when the user does not agree', async () => {
    const client = await clientThat('decline');

    expect((await client.callTool('transfer_money', large)).structuredContent).toEqual({
      done: false,
      balance: 2_000_000,
    });
  });

  it('takes no more than was asked for, whatever the client answers', async () => {
    const client = await clientThat({ amount: 60_000 });

    await client.callTool('transfer_money', large).catch(() => undefined);
    expect(accounts.get('savings')).toBe(2_000_000);
  });

  it.each([
    ['close_account', { account: 'holiday' }, /Send one of current, savings/],
    ['empty_account', { account: 5 }, /account.*string/s],
    ['empty_account', { account: 'savings', confirmed: 'yes' }, /confirmed/],
    ['transfer_money', { ...large, amount: 3_000_000 }, /2000000 cents in "savings". Send that or less/],
    ['transfer_money', { ...large, amount: -5 }, /amount/],
    ['transfer_money', { ...large, amount: 0.5 }, /amount.*integer/s],
    ['transfer_money', { ...large, to: 'savings' }, /Send two different ones/],
    ['get_balance', { account: 'constructor' }, /Send one of current, savings/],
  ])('%s says what to send instead of %j', async (tool, args, hint) => {
    const client = await clientThat('accept');

    expect(refusalOf(await client.callTool(tool, args))).toMatch(hint);
    expect([...accounts]).toEqual([...new Accounts()]);
  });
});
