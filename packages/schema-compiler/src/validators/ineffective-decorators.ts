import { constraintRule, type JsonSchema } from '@toolwright/json';
import { isDefinition, type Definition } from '../generator/tjs-adapter.js';
import { typesOf } from '../docs/ineffective-tags.js';
import type { WrittenConstraint } from './read-property-decorators.js';

/** The decorators of class-validator that accept values of one type only. */
const ACCEPTED: Readonly<Record<string, string>> = {
  number: 'IsInt IsNumber IsPositive IsNegative IsDivisibleBy Min Max',
  boolean: 'IsBoolean',
  array: 'IsArray ArrayMinSize ArrayMaxSize ArrayNotEmpty ArrayUnique ArrayContains ArrayNotContains',
  object: 'IsObject IsNotEmptyObject',
  string:
    'IsString MinLength MaxLength Length Matches Contains NotContains IsAlpha IsAlphanumeric IsAscii IsBase32 IsBase58 ' +
    'IsBase64 IsBIC IsBooleanString IsBtcAddress IsByteLength IsCreditCard IsCurrency IsDataURI IsDateString IsDecimal ' +
    'IsEAN IsEmail IsEthereumAddress IsFQDN IsFirebasePushId IsFullWidth IsHalfWidth IsHash IsHexColor IsHexadecimal ' +
    'IsHSL IsIBAN IsIdentityCard IsIP IsISBN IsISIN IsISO31661Alpha2 IsISO31661Alpha3 IsISO4217CurrencyCode IsISO8601 ' +
    'IsISRC IsISSN IsJSON IsJWT IsLatLong IsLocale IsLowercase IsMACAddress IsMagnetURI IsMilitaryTime IsMimeType ' +
    'IsMobilePhone IsMongoId IsMultibyte IsNumberString IsOctal IsPassportNumber IsPhoneNumber IsPort IsPostalCode ' +
    'IsRFC3339 IsRgbColor IsSemVer IsStrongPassword IsSurrogatePair IsTaxId IsTimeZone IsUppercase IsUrl IsUUID ' +
    'IsVariableWidth',
};
const TYPE_OF = new Map(
  Object.entries(ACCEPTED).flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
);

/** A keyword with one value in a doc tag and another in a decorator. */
export interface Disagreement {
  tag: string;
  decorator: string;
}

/** The decorators that refuse every value of the declared type, each with the type that they accept. */
export function ineffectiveDecorators(
  constraints: readonly WrittenConstraint[],
  definition: Definition,
  { resolve, isMap }: { resolve: (schema: Definition) => Definition; isMap: boolean },
): { decorator: string; accepts: string; types: string[] }[] {
  return constraints.flatMap(({ written: name, each }) => {
    const accepts = TYPE_OF.get(name);
    const types = typesOf(each ? partsOf(resolve(definition), isMap) : definition, resolve);
    if (!accepts || !types) return [];
    const fits = types.some((type) => type === accepts || (type === 'integer' && accepts === 'number'));
    return fits ? [] : [{ decorator: name, accepts, types }];
  });
}

/** The keywords for which doc tags and decorators of one property have different values. */
export function disagreements(
  constraints: readonly WrittenConstraint[],
  tags: Definition,
  definition: Definition,
): Disagreement[] {
  return constraints
    .filter(({ each }) => !each)
    .flatMap(({ name, written, arguments: values }) => {
      const { keywords } = constraintRule(name)?.say(values, definition as JsonSchema) ?? { keywords: {} };
      return Object.entries(keywords)
        .filter(
          ([keyword, value]) => keyword !== 'type' && tags[keyword] !== undefined && tags[keyword] !== value,
        )
        .map(([keyword, value]) => ({
          tag: `@${keyword} ${String(tags[keyword])}`,
          decorator: `@${written}, which says ${keyword} ${JSON.stringify(value)}`,
        }));
    });
}

/** What `each` is for: the items of a list, and the values of a Map. Of anything else, it is the value as a whole. */
function partsOf(definition: Definition, isMap: boolean): Definition {
  const { type, items, additionalProperties } = definition;
  if (isMap && isDefinition(additionalProperties)) return additionalProperties;
  if (isMap && isDefinition(items)) return (items.items as Definition[] | undefined)?.[1] ?? {};
  if (type === 'object') return definition;
  return isDefinition(items) ? items : {};
}
