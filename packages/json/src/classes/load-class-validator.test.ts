import { getMetadataStorage, IsInt, IsString, validate, type MetadataStorage } from 'class-validator';
import { memoiseMetadata } from './load-class-validator.js';

class First {
  @IsString() name = 5;
}

describe('memoised constraints', () => {
  const storage: MetadataStorage = getMetadataStorage();

  it('are looked up once per class, until a constraint is added', async () => {
    memoiseMetadata(storage);
    memoiseMetadata(storage);
    const lookup = () => storage.getTargetValidationMetadatas(First, '', false, false, []);
    expect(lookup()).toBe(lookup());
    expect(lookup()).toHaveLength(1);
    const before = lookup();
    class Later {
      @IsInt() age = 'x';
    }
    expect(lookup()).not.toBe(before);
    expect(lookup()).toEqual(before);
    expect(await validate(new Later())).toHaveLength(1);
    IsInt()(First.prototype, 'name');
    expect(Object.keys((await validate(new First()))[0]!.constraints!)).toEqual(['isString']);
    expect(lookup()).toHaveLength(2);
  });

  it('are kept separately for each set of groups', () => {
    class Grouped {
      @IsInt({ groups: ['admin'] }) age = 1;
    }
    const count = (groups: string[]) =>
      storage.getTargetValidationMetadatas(Grouped, '', false, false, groups).length;
    expect([count(['admin']), count(['guest']), count(['admin'])]).toEqual([1, 0, 1]);
  });
});
