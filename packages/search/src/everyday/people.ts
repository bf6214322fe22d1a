/** People, what they may do, and how they prove who they are. */
export const everydayPeople = `
user member: bloke, guy, guys, chap, lad, lady, woman, man, men, women, girl, boy, kid, person, people, folks, folk, mate, mates, team mate, team mates, teammate, teammates, colleague, colleagues, coworker, workmate, buddy, pal, fellow, everyone here, everybody here, everybody, everyone, somebody, someone, anybody, anyone, human, humans, individual, whoever, newcomer, new girl, new guy, staff, crew, account, participant, those who, the one who, nickname, handle
collaborator member: helper, helpers, works with us, working with us, help out, helps out, contributes, take part, takes part, taking part, joined in, on board, freelancer, contractor, guest, outsider, external, partner, work together, work on it with
admin owner: boss, bosses, chief, in charge, in control, runs the, runs this, head of, top dog, big boss, superuser, chairman, who owns, belongs to whom, captain, landlord
team group: crew, squad, gang, bunch, band of, department, lot of people, unit, troop, section of the company, the sales people, sales crew, our people, those people, circle, crowd, family, whole lot, club, class
organization workspace: company, our company, firm, business, outfit, corporation, employer, shop floor, our place, our house, whole place, whole company, enterprise, headquarters, institution, where i work, works here, work here
role permission: allowed, allowed to, may do, may do what, may see, is able to, able to, can do what, can do, what * can do, powers, say in, rights, right to, rules about who, who may, who can, who is allowed, entitled, rank, job title, position, capacity, authority, hat, may touch, may change, let * do, let * change, allowed to see, allowed to change, gets to see, gets to, more rights, trusted with
permission access: let * in, get in, get at, get into, see into, keep out, open to, door, gate, let * look, can open, cannot open, reach, be let in, lets * in
invitation: asked to join, has not joined, have not joined, not yet joined, have not said yes, asked along, waiting to join, begging to join
request: begging, beg, asks, asking, asked for, wish, wishes, want us to, wants us to, ask us, would like, pending, wait for our ok, waiting for us
identity verification: who she is, who he is, who they are, who he says, passport, id card, driving licence, prove who, really who, real person, selfie, face
password secret: forgot my, log in word, passphrase, magic word, pin code, code word
token key secret credential: api password, password for the api, secret code, secret string, key to, keys to, login for a machine, login for machines, without a person, let a program in, let the program in, let our server, let our machine, let a script, program can log in, without logging in, without signing in, passcode, magic string
key: pull the code without, door opener, ssh, house key
session: signed in, is signed in, logged in, log * out, throw * out everywhere, everywhere she is, everywhere he is, stays logged in, still logged in, on the other computer, stolen laptop, stole, stolen, laptop, lost my phone, left it open, sign * out, kick out everywhere, where am i logged in, log out, logged out
authentication login: sign in, signing in, log in, logging in, logs in, get in, prove, front door, second factor, code from my phone, phone code, fingerprint, two step, authenticator, get into the system
sso saml oidc idp: one login for, same login, company login, one password for all, log in with our own, office account, work account
oauth: on my behalf, in my name, act for me, let another app, connect my account
audit log activity: who did what, who changed, who touched, who deleted, who has been, fiddling, fiddled, tampered, meddling, messing with, footprints, trail, paper trail, traces, who was it, what happened, what has happened, what went on, who looked, who opened, who saw, snoop, snooping, track record, diary, logbook, when did, since when
security vulnerability: hole, holes, weak spot, weak spots, weakness, hack, hacked, hacker, hackers, break in, unsafe, not safe, risky, dangerous, danger, threat, exploit, leak, leaked, leaks, exposed, safe, attack, attacker, virus, malware, bad actors, risk
secret scanning: password in the code, leaked key, left a password, leaked password, passwords in the code, keys in the code
dependency vulnerability dependabot: risky libraries, risky library, old libraries, unsafe library, library, libraries, third party code, third party, packages we use, what we build on
ip: address of the computer, from which computers, network address, from the office only, only from the office, from home
allowlist ip: only from, from the office only, certain computers, known computers, trusted computers
employee: hire, hired, someone new, worker, workers, work force, workforce, staff, personnel, clerk, waiter, cashier, nurse, on the payroll, works for us, work for us, new hire, works in the shop, on our books, mechanic, driver
create+employee: hired, we hired, we hire, starts on monday, new colleague, put * on the payroll
payroll salary wage pay: what * earns, earn, earns, paid each month, pay day, payday, pay packet, wages, pay slip
shift timecard: roster, rota, who works when, clock in, clocked in, clock out, when do i work, working hours, on duty, duty
leave holiday absence: day off, days off, time off, away next week, on holiday, on vacation, beach, sick day, ill, off sick, called in sick, off work, not in the office, out of office, maternity, annual leave
status presence: at her desk, at his desk, at the desk, at lunch, on the train, on a break, is around, around right now, is in, is here, there right now, online, awake, busy, reachable, available, out of office, gone home, afk
profile: about me, about myself, my details, my data, my picture, what i look like, bio, who am i, my own account, my account, about her, about him, personal details, on my page, face
avatar photo picture: face, my face, mugshot, portrait, selfie, picture of me, my picture, how i look, headshot
email: mail address, writes from, inbox address, e mail, mail box, mailbox, address for mail, electronic mail
phone: call me, ring, ring up, number to call, mobile, cell, cell phone, landline, dial, hotline
address: where * lives, where she lives, where he lives, lives, house, street, home, place, moved house, moved flat, residence, postcode, zip
contact: someone we know, people we know, get in touch, in touch with, address book, reach, who do i call, acquaintances, black book, phone book, people we buy from, people we sell to, supplier, plumber, plumbers, somebody we deal with, business partner, clients
customer: client, clients, buyer, buyers, punter, shopper, shoppers, payer, patron, guest, someone who buys, people who buy, purchaser, regular, regulars, those who pay, consumer, visitor to our shop, cardholder
lead: might buy, could buy, interested people, prospect, prospects, potential buyer, potential customer, sniffing around
deal opportunity: big contract, about to sign, almost sold, in the bag, sale we hope, sales talk, pitch
follower subscriber: fans, fan, who reads, readers, reader, who listens, listeners, audience, who follows, who watches, who gets our news, people who get
guest visitor: outsider, outsiders, stranger, strangers, passer by, from outside, somebody from outside, drop in
consent agreement terms: small print, fine print, said yes to, agreed to the rules, legal stuff, cookie banner, rules of the house
compliance legal hold retention: lawyer, lawyers, court, law suit, lawsuit, police, judge, investigation, must not be destroyed, have to keep, bound to keep, obliged to keep, by law, the law, how long * keep, keep * for years, years we must, keep those papers, keep records
privacy: nosy, private, privacy, data protection, gdpr, forget me, right to be forgotten
member+list: who is in, who belongs, who is part of, who takes part, who all is, who else is, who is on, who works, who plays
add+member: put * into the team, starts with us, is new here, new in the team, joins us, joins our, belongs to us now, put * in the group
remove+member: leaves the team, leaves our, left the company, leaves the company, goes to another, out of the team, no longer in the team, no longer works here, no longer works for
group: those people together, put people together, several people, people who belong
team: sales, marketing, engineering, the designers, the developers, support people
role: do more, more power, less power, may do more, make * a boss, make * boss, helpers, only look, just look, read only, look but not touch
permission: may i, am i allowed, is * allowed, can * see, can * open, who gets in, who can see, who may see, hidden from, what am i allowed
invite: send * an invitation, ask her in, ask him in, let her in, let him in
request approve: wants to be let in, wants in, let them in, say yes to them
login session: which computers, devices i use, where else am i
delete+session: someone else is in my, a stranger uses, lost my laptop, lost my phone, lost her phone, lost his phone, laptop is gone
ssh key: key for my laptop, key of my laptop, new laptop, log in from my new, key of my computer
gpg key: prove that i wrote, prove it was me, sign my work
email: another mail, other mail, mails go to, mail goes to, new mail, mail i use, gmail
email alias: second mail, other mail, also reach * under, further mail, another mail
block user: does not leave me alone, keeps bothering, writes nonsense, rude, insults, bad words, abuse
interaction limit: too many strangers, strangers write, only people we know may, calm down, heated, flame war
scope: what may this program do, what can this program see
two factor: second lock, double lock
vacation shift: who works on monday, who works tomorrow, who is working, who covers, cover for
break: coffee break, lunch break, pauses, rest
employee role: what a waiter may do, cook, waiter, job in the shop
merchant business: our shop name, name of our shop, our business, about our business
access policy: which devices, which computers, which phones may
device pin trusted device: phone * logged in with, phones that, which phones, computers that are known
storage policy: in which country, where is our stuff kept, kept in which country
classification: secret paper, confidential, top secret, for our eyes only, not for others' eyes, sensitive, internal only
information barrier: must not talk to each other, must not see each other, wall between, should not talk, not allowed to talk
watermark: name across, stamp across, printed across, stamp on every page
terms of service: have they agreed, agreed to our rules, our rules
sign request: sign the contract, ask * to sign, needs his name, needs her name, needs to sign, should sign, must sign, signed yet
assistant scheduler: who may plan for me, plan meetings for me, plans for me, on behalf of, secretary
outside collaborator: left but still helps, still helps, helps now and then, now and then
current user: who am i logged in as, logged in as, signed in as
workspace membership: in which companies, in which firms, in which teams, which companies is
feedback satisfaction: were people happy, happy with, how did they like, how did people like
`;
