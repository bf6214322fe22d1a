/**
 * The flag of a region, such as that of Scotland: a black flag, the tag characters of the region's code, and
 * a final tag (Unicode Technical Standard 51, emoji tag sequences). People use tag characters for nothing
 * else. Longer runs of them only hide text.
 */
export const flagSequence =
  /\u{1F3F4}[\u{E0061}-\u{E007A}]{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,4}\u{E007F}/u.source;
