/**
 * What tools do, in one word. Tool names should begin with one. `toolwright.lint.verbs` in package.json adds
 * others.
 */
const verbs = new Set(
  (
    'abort accept acknowledge activate add adjust allocate analyse analyze annotate append apply approve archive ask ' +
    'assign attach audit authorise authorize backup ban block book build buy calculate call cancel capture change ' +
    'charge check checkout classify clean clear clone close collect commit compare compile complete compose compress ' +
    'compute configure confirm connect convert copy correct count create crop cut deactivate debug decline decode ' +
    'decrease decrypt delete deliver deny deploy describe destroy detach detect diff disable disconnect discover ' +
    'dismiss display divide do download draft draw drop dump duplicate echo edit embed enable encode encrypt end ' +
    'enqueue estimate evaluate exclude execute expand explain export extract fail fetch fill filter find finish fix ' +
    'flag flush follow forecast format forward generate get give go grant group handle hash help hide highlight ' +
    'import improve include increase index inspect install invite invoke issue join judge keep label launch learn ' +
    'leave like link list load localize lock log login logout look lookup make manage map mark match measure merge ' +
    'migrate modify monitor mount move multiply mute navigate notify observe open optimise optimize order organize ' +
    'parse patch pause pay perform pick pin ping place plan play plot poll post predict prepare preview print ' +
    'process produce promote propose provision publish pull purchase push put query queue quote rank rate read ' +
    'rebuild receive recommend record recover redeem redirect reduce refresh refund register reject release reload ' +
    'remember remind remove rename render renew reopen reorder repair repeat replace reply report request ' +
    'reschedule reserve reset resize resolve restart restore resume retrieve retry return revert review revoke ' +
    'rewrite roll rollback rotate route run sample save scale scan schedule score search see select send set share ' +
    'ship show sign simulate skip snooze solve sort split star start stop store stream submit subscribe subtract ' +
    'suggest sum summarise summarize suspend swap switch sync tag tail take tell terminate test think toggle track ' +
    'train transcribe transfer transform translate trigger trim try turn unassign unblock undo unfollow uninstall ' +
    'unlink unlock unmute unpin unsubscribe update upgrade upload upsert use validate verify view visit visualize ' +
    'vote wait watch withdraw wrap write zip'
  ).split(' '),
);

/**
 * Whether a name begins with a verb: one of the list, one of the project's own, or the first word of its
 * description ("Frobnicate a page").
 */
export function beginsWithVerb(name: string, description: string, own: readonly string[]): boolean {
  const [first = ''] = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const [told = ''] = description.trim().toLowerCase().split(/\W/);
  // "Notes of the day" begins with a noun.
  const isTold = (told === first && !first.endsWith('s')) || told === `${first}s` || told === `${first}es`;
  return verbs.has(first) || own.includes(first) || isTold;
}
