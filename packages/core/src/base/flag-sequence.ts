/**
 * The flag of a country's part, such as that of Scotland: a black flag, the tag characters of a region's code, and the
 * tag that ends them (Unicode Technical Standard 51, emoji tag sequences). Tag characters are used for nothing else that
 * people write; longer runs of them only hide text.
 */
export const flagSequence =
  /\u{1F3F4}[\u{E0061}-\u{E007A}]{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,4}\u{E007F}/u.source;
