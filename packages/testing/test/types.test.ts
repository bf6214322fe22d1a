import { expectTypeOf } from 'expect-type';

/** Checked by `pnpm typecheck`; at run time there is nothing left of it. */
test('the matchers are known to Jest', () => {
  expectTypeOf(expect({}).toBeToolError).parameter(0).toEqualTypeOf<string | RegExp | undefined>();
  expectTypeOf(expect({}).toMatchOutputSchema).returns.toExtend<Promise<void>>();
});
