import { stem } from './words.js';

/** Words that mean the same in the names of operations. APIs have few verbs, so they are written by hand. */
const VERBS = [
  'create add new make insert post register open generate write compose draft provision',
  'delete remove destroy drop erase purge trash discard rid',
  'update edit change modify patch set put alter rename adjust replace revise',
  'get fetch retrieve read show view describe see lookup info detail',
  'list all enumerate browse every',
  'search find query look filter locate',
  'send deliver dispatch submit notify message',
  'cancel abort revoke withdraw void undo',
  'stop halt end terminate kill shutdown disable deactivate suspend pause off',
  'start begin launch run trigger execute enable activate resume on kick',
  'copy duplicate clone fork',
  'move transfer relocate shift',
  'merge combine join',
  'upload attach import',
  'download export',
  'approve accept confirm allow',
  'reject decline deny refuse dismiss',
  'invite add join',
  'archive close hide shelve',
  'restore unarchive reopen recover undelete',
  'lock protect freeze',
  'subscribe follow watch',
  'unsubscribe unfollow unwatch mute',
  'pay charge bill',
  'refund reimburse return money',
  'assign allocate delegate',
  'count total number many',
  'check verify validate test',
  'block ban',
  'log history record event activity audit',
];

/** Things of APIs that people call by another name. */
const NOUNS = [
  'repository repo project',
  'issue ticket bug',
  'comment reply remark note',
  'user person member people account colleague teammate',
  'message chat dm post',
  'channel room conversation',
  'file document attachment doc',
  'folder directory',
  'customer client buyer',
  'invoice bill',
  'payment charge transaction',
  'subscription plan membership',
  'webhook callback hook',
  'workflow pipeline automation action',
  'branch line',
  'meeting call conference video',
  'calendar schedule agenda',
  'organization org company business team',
  'label tag',
  'permission access right role',
  'secret password credential key token',
  'picture image photo avatar',
  'card payment',
  'coupon discount promo voucher',
  'product item article',
  'order purchase',
  'phone number telephone',
  'sms text message',
  'email mail',
  'deployment release deploy rollout',
  'container pod',
  'machine server node instance vm',
  'price cost fee rate',
  'balance money fund',
];

/** Words that may stand for a word, by their stems. */
export class Synonyms {
  readonly #known = new Map<string, Map<string, number>>();

  constructor() {
    for (const line of [...VERBS, ...NOUNS]) {
      const [first, ...others] = line.split(' ').map(stem);
      for (const other of others) {
        this.add(other, first!, 0.6);
        this.add(first!, other, 0.5);
      }
    }
  }

  /** @param weight how much a hit of the synonym counts, from 0 to 1 */
  add(word: string, synonym: string, weight: number): void {
    if (word === synonym) return;
    const all = this.#known.get(word) ?? new Map<string, number>();
    all.set(synonym, Math.max(weight, all.get(synonym) ?? 0));
    this.#known.set(word, all);
  }

  of(word: string): ReadonlyMap<string, number> {
    return this.#known.get(word) ?? NONE;
  }
}

const NONE: ReadonlyMap<string, number> = new Map();
