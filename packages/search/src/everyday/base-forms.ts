import { stem } from '../words.js';

/** Forms that rules of endings do not find. Each group has the usual word first. */
const FORMS =
  'be am is are was were been being,do does did done doing,have has had having,go goes went gone going,fall fell fallen,' +
  'get got gotten getting,give gave given giving,take took taken taking,make made making,put putting,say said says,' +
  'tell told,send sent,write wrote written writing,buy bought,pay paid,sell sold,leave left leaving,come came coming,' +
  'break broke broken,steal stole stolen,see saw seen,know knew known,think thought,bring brought,catch caught,' +
  'find found,lose lost losing,keep kept,hold held,let letting,meet met,build built,run ran running,begin began begun,' +
  'speak spoke spoken,choose chose chosen,draw drew drawn,throw threw thrown,grow grew grown,show showed shown,hear heard,' +
  'read,spend spent,lend lent,mean meant,feel felt,sit sat sitting,stand stood,understand understood,win won,wear wore worn,' +
  'drive drove driven,ring rang rung,sing sang sung,swap swapped swapping,stick stuck,hang hung,dig dug,shut shutting,' +
  'quit quitting,hide hid hidden,forget forgot forgotten,forgive forgave forgiven,freeze froze frozen,eat ate eaten,' +
  'wake woke woken,fight fought,teach taught,seek sought,bind bound,blow blew blown,go gonna,want wanna wants,' +
  'person people,child children,man men,woman women,cannot cant,not dont doesnt didnt isnt arent wasnt wont shouldnt';

const bases = new Map(
  FORMS.split(',').flatMap((group) => {
    const [base = '', ...others] = group.split(' ');
    return others.map((form) => [form, base] as const);
  }),
);

/** A word in the form in which phrases are compared: that of `sent` and of `sending` is `send`. */
export function spokenStem(word: string): string {
  return stem(bases.get(word) ?? word);
}
