import { expectTypeOf } from 'expect-type';

/** Checked by `pnpm typecheck`. At run time this tests nothing. */
test('Jest knows the types of the matchers', () => {
  expectTypeOf(expect({}).toBeToolError).parameter(0).toEqualTypeOf<string | RegExp | undefined>();
  expectTypeOf(expect({}).toMatchOutputSchema).returns.toExtend<Promise<void>>();
});
