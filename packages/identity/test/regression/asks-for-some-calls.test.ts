import { Confirm } from '@toolwright/core';
import { RefundDesk } from '../support/refund-desk.js';

test('the explanation of a tool says whether a page is asked for each call or for some only', async () => {
  const desk = await RefundDesk.open({});
  const handler = () => 'paid';
  const when = () => false;
  desk.server.tools.add({ name: 'always', policies: [Confirm.entry('Pay?', { by: 'page' })], handler });
  desk.server.tools.add({ name: 'some', policies: [Confirm.entry('Pay?', { by: 'page', when })], handler });
  const confirmationOf = (tool: string) =>
    desk.server.explain(tool)!.steps.find(({ name }) => name === 'confirm');
  expect(confirmationOf('some')).toMatchObject({ isConditional: true });
  expect(confirmationOf('always')).not.toHaveProperty('isConditional');
  await desk.close();
});
