import { failedAnswer } from './api-errors.js';

test('the text of an API that is too long ends with a whole character', () => {
  for (const before of ['', 'x']) {
    const answer = new Response(null, { status: 500, statusText: 'Broken' });
    const { message } = failedAnswer(
      'GET /pets',
      answer,
      JSON.stringify({ message: before + '👍🏽'.repeat(400) }),
    );
    expect(message).toMatch(/^GET \/pets answered 500 Broken: x?(?:👍🏽)+…$/u);
  }
});
