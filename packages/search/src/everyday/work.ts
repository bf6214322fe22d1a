/** Talking, writing, planning and filing. */
export const everydayWork = `
message: what i wrote, something i wrote, wrote, what i said, what he said, what she said, what they said, said, say, line of text, few words, word to, bit of text, note to, text, shout, dm, whisper, gossip, what was said, tell everyone, tell everybody, tell all, tell them, tell the, talk, spoke
post+message: tell everyone, tell everybody, tell all, tell them, let everyone know, let everybody know, write in the room, announce, say hello, say hi
channel conversation: room, chat room, where people talk, where we talk, place to talk, place to chat, talking shop, chat, chatter, talk about, corner, discussion, talking place, group chat, hang out, where do people, water cooler
conversation history messages: what did i miss, did i miss, missed, what was said, catch up, catch me up, read up, scroll back, what have they been talking, what went on
thread reply: answers, what did they say back, the discussion below, under her question, back and forth, say back, what came back, responses
comment: remark, what people think, thinks of, scribble, scribbled, scribbles, next to this paragraph, in the margin, margin, note on, notes on, feedback, opinion, opinions, my two cents, two cents, say something about, said about, what has been said, what * say about, say on, observation, criticism, criticise, praise, moan, grumble, put in my word, wrote under, written under, beneath
reaction emoji: smiley, smileys, thumbs, thumbs up, heart, little face, little picture, laughing face, how did people react, who liked, who likes, liked it
pin: stuck to the top, stick to the top, at the top, on top, top of the room, easy to find, keeps asking for, keep asking for, in plain sight, nail to the wall, always see, always visible
star bookmark save favorite: marked so, come back to, for later, stuff i marked, things i marked, marked, put aside, set aside, like best, my favourites, faves, dog ear, keep handy, at hand, quick access, close at hand
star: fancy, gold star, popular, cool project
reminder: do not let me forget, dont let me forget, remind, tell me tomorrow, poke me, on my mind, string around, alarm clock, wake me, remember to, nag
snooze dnd: leave me alone, do not disturb, dont disturb, in peace, not be bothered, be bothered, undisturbed, peace and quiet, quiet time, concentrate, focus time, stop beeping, beep, beeping, buzzing
topic purpose description: what it is about, what this is about, what it is for, the line on top, line at the top, headline, blurb, what it says at the top, explanation, what for
notification: bell, buzz, ping me, told about, beep, news for me, what is new, anything new, what new, little red number, red dot, unread, seen it, have seen
mailing list group audience list: mailing list, people who get our mail, everybody on the list, recipients, round mail, people on our list, distribution
mail email message: letter, mails, inbox, post, envelope, write to, newsletter, junk mail, spam
campaign newsletter: mail shot, round mail, mass mail, everybody a mail, advert, ad, ads, advertise, advertising, promote our, commercial
template: ready made, boilerplate, starting point, model for, always the same, cookie cutter, form letter, ready to fill, sample, pattern for, every time the same, standard text, blueprint, recipe
draft: not finished yet, not sent yet, half finished, half written, work in progress, unfinished, rough, sketchy, not ready
signature envelope document: sign on the dotted line, sign here, dotted line, autograph, paperwork, papers, contract, contracts, get * signed, to be signed, signs, sign, signed, put his name under, put her name under
document file page: paperwork, papers, paper, pdf, write up, text, sheet, form, contract, brochure, leaflet, handbook, manual, letter
file: spreadsheet, presentation, slides, slide deck, deck, picture, pdf, photo, video, scan, stuff i sent, thing i uploaded, excel, powerpoint, the thing that i put
folder: drawer, binder, cabinet, shelf, box, container for, place for our papers, directory, cupboard
version history revision: how it was, earlier state, earlier states, last week, yesterday, before somebody changed, before she changed, before he changed, how it used to be, old one, old ones, older, states, as it stood
trash: bin, waste basket, paper basket, thrown away, deleted by mistake, deleted by accident, rubbish, in the bin, things i deleted, dustbin
shared link: link that anybody, anybody with the link, url for, a link for, hand out a link, link for the, web address for this, people without an account
web link bookmark: shortcut, link to a site, pointer to, address of a page
lock+file: nobody else can change, no one else can change, while i edit, while i work on it, hands off my
metadata property: extra facts, extra data, extra information, additional facts, tag with, facts about, label on the, keep a note with, notes on the back
page article: wiki, write up, article, story, chapter, entry, wiki article, knowledge base, notes, notebook, piece of text, web page
block paragraph: paragraph, passage, sentence, piece of the page, bit of the page, bullet, bullets, bullet point, line in, chunk, snippet of text, heading
database table: big table, grid, spreadsheet, list with columns, overview with columns, records, card index, catalogue
row page entry item: line in the table, line, record, another line
column property field: heading of the table, extra box, extra boxes, extra line on the form
custom field: extra attribute, extra attributes, own attributes, box on the form, additional box, additional line, extra box, extra boxes, made up, something of our own, own property, own properties, extra question
task issue card: job, jobs, chore, chores, something to do, things to do, to do, todo, piece of work, work item, duty, homework, errand, assignment, stuff to do, what i have to do, what needs doing, needs doing, needs to be done, plate, on my plate, on her plate, on his plate, pile, workload, busy with, working on, thing i must, sticky note, sticky notes, item
issue ticket: bug, bugs, problem, problems, fault, complaint, complaints, trouble, glitch, defect, broken, does not work, doesnt work, not working, crash, crashes, crashed, error, mistake in the program, report, reported, something is wrong, goes wrong, went wrong, worry, worries, concern, headache
create+issue: report a, report that, does not work, doesnt work, is broken, complain about, found a bug, found a mistake, keeps crashing
subtask: smaller pieces, smaller steps, smaller parts, little steps, small steps, pieces of a job, parts of a job, break * into, chop, chop up, chunks
project board: plan, undertaking, venture, big thing, effort, initiative, programme, endeavour, piece of business, mission, whole thing, campaign
portfolio: all the projects of, several projects, gathers all, all projects together, all our projects, bundle of projects, umbrella, collection of projects
goal: aim, aims, want to reach, what we want to reach, ambition, where we want to be, target, targets, objective, hope to achieve, what we are after, want to achieve, dream
milestone: big date, big day, halfway, stage, by when, deadline for, target date, checkpoint
sprint: two weeks, fortnight, this round, next round, iteration
board: wall, pinboard, cork board, white board, whiteboard, blackboard, notes on the wall, on the wall
card: sticky note, sticky, sticky notes, slip, slips, note on the wall, piece of paper, index card, post it, note about
list column section stage: column, columns, lane, lanes, stack, pile, row of notes, in which stage, phase, stage, heading, part of the board
checklist: things to tick off, tick boxes, boxes to tick, shopping list, steps to tick, packing list
sticker: little picture, decorating, decorate, decoration, pretty, cute, fun picture
background: wallpaper, look behind, behind the board, picture behind, backdrop
due date: deadline, by when, until when, when * has to be, must be ready, must be done by, has to be done by, time limit, is due, too late, overdue, late, running late, behind, behind schedule, last minute, by friday, by monday, more time, one more week, extension
priority: how urgent, urgent, urgency, most important, important, matters most, pressing, first things first, asap, in a hurry, comes first, can wait
status state transition: how far, how is it going, how it going, how far along, how does it stand, how do things stand, progress, next step, in the works, under way, coming along, where do we stand, stuck, which stage, moves on to, ready for, is in progress, started on
workflow: steps that a job goes through, flow, way of working, goes through, procedure, process, how work moves, our way, chain of steps, step by step, red tape
status update: report on how, how we are doing, how are we doing, on track, off track, weekly report, tell the boss how, monthly report, progress report
dependency: has to wait for, must wait for, waits for, waiting for, depends on, first * then, before we can, held up by, in the way, cannot start until, holding up, holds up, held up
issue link: have to do with each other, nothing to do with each other, the same bug, same problem, belong together, related bugs, untie, these two, those two
worklog time entry tracking: hours, how much time, time spent, spent on, how many hours, took me, took us, hours i worked, worked on it, spent three hours, two hours, half a day, stopwatch, book my hours
attachment: picture to, picture of the, photo to, file to, file with, hung on, screenshot, added a picture, enclosure, enclosed, came with
assignee: who works on, whose job, who takes care, who is on it, who does it, whose turn, who is doing, who doing
watcher follower: who gets told, who is kept posted, who follows, who keeps an eye
label tag: sticker, colour code, marker, marked as, mark as, tagged, buzzword, pigeonhole, category, what kind of, sort of, catchword, word on it, sort under, colours
screen: form that people fill, boxes that people see, which boxes, fill in when, what people see when
dashboard: at a glance, at one glance, cockpit, big picture, overview page, numbers at a glance, control room, how things are going
filter: saved search, same search, always search, search that i keep, narrow down, sieve, only those that, view
form: questionnaire, sheet to fill, fill in, fill out, filled in, filled out, questions, survey, sign up sheet, entry sheet, application form
form submission: who filled in, filled in, filled out, wrote into the form, left in the form, what people wrote in, wrote to us, answers in, sent in, came in through, through our website, contact page
poll survey: ask people what, ask everyone what, ask everybody, opinion, show of hands, vote, votes, what do people think, questions that we ask
meeting: get together, sit down, session, gathering, call, video call, chat on video, talk on monday, huddle, stand up, face to face, catch up with, discussion, conference, appointment, meet, meets, met, brainstorm, date with, round table, interview
webinar: online talk, online lecture, talk online, lecture, lecture on the web, seminar, presentation online, talk to hundreds, show for customers, public talk, online class, big online, web talk
registrant: put their name down, put her name down, put his name down, signed up, sign up, has signed up, registered, who is coming, who wants to come, wants to come, who will be there, who will come, booked a seat, seats
participant: who was there, who came, who turned up, turned up, showed up, who took part, took part, who attended, who was in, stayed till, in the call, attended, in the room with, sat in
recording: tape, video of the meeting, video of yesterday, watch it again, watch later, missed the call, missed the meeting, hear again, what was filmed, filmed, replay, tv of
transcript: every word, word for word, what was said in the call, written down what was said, minutes, in writing
calendar event: appointment, date, when do we meet, my week, diary, agenda, in the diary, what is on, day planner, what on today, my day, am i free, free at, free on, busy at, busy on, slot, birthday, party
availability: am i free, is free, are free, find a time, gap, when can we, slots, suits everyone, suits everybody, free hour
panelist: speaker, speakers, on stage, who talks, who speaks, guest speaker, presenters, presenter
live stream: on air, broadcast, go live, watch live, stream
room: meeting room, conference room, where do we meet, space, booking a room, boardroom, huddle
call phone: ring, ring up, rang, phone, telephone, on the phone, who called, who rang, voicemail, answering machine
poll+meeting: ask the people in the call, ask everyone in the call
bot app integration: robot, robots, machine that answers, automatic helper, add on, addon, add ons, plug in, plugin, plugins, extra program, little program, gadget, tool, tools, software, thing that posts, assistant
app: program, programs, software, application, thing we built, our product
workflow step: part of the flow, our part, piece of the chain
emoji: funny picture, own smiley, little face, party parrot, custom smiley
usergroup: call all, whole team at once, everyone in design, everyone in sales, all the designers, ping all
history: what happened to, over the years, over time, in the past, ages ago, last year, last month, used to be
message: that post, my post, post of mine, what i posted, typo in what i wrote, line i wrote, thing i wrote
update+message: typo in what, made a typo, wrote it wrong, change what i wrote, wording
ephemeral message: only * should see this, for her eyes only, for his eyes only, just for, only for her, only for him, nobody else should see
dm conversation: just the two of us, between us two, under four eyes, private word, talk to * alone
schedule+message: should go out tomorrow, go out tomorrow, not before tomorrow, send * tomorrow
permalink link: point people to, quote that, click on it, jump to what
read mark: seen it all, i have read, have read everything, read it all, as far as i read
attachment: hangs on, hang on, what was sent along, sent along, send along, plans along
follow up: get back to
story activity: what happened with this job, what was done, who did what on this
section: part of the list, place for things, heading in the list, block of jobs, row for
add+section: should be a place for, place for things that, another heading
move+task: belongs in another column, belongs in the next column, into the next column, pull * to the next
complete+task: job is done, that is done, did it, i have done it, work is finished, got that done, have called
create+task: somebody has to, someone has to, someone should, somebody should, we still have to, we have to, we must, i have to, i must, needs to be ordered, to be bought, put * on my list, put * on the list
delete+task: wont do that, we will not do, not do that after all, do not have to do that
subtask: too big, break it up, in smaller steps, first we have to, consists of
dependency: can not start, cannot start, before the, not before, waits for the, has to be first
blocked: cannot go on, cant go on
project: we are going to, what we plan, the launch, the move, the fair
project brief: what the project is about, what it is all about, intro to the project, one pager
project template: every time we start, always start with, same procedure
project membership: who works on the project, who is on the project, part of the project
create+status: tell them we are late, we are late, how the project is doing, all is well, going well, say that all is well
custom field: note the cost, cost of each thing, want to note, keep the number with, note * for each, mark things as, be able to mark
time period: which quarter, this quarter, next quarter, financial year
typeahead search: starts with, begins with, as i type, while typing, guess what i type
user task list my tasks: my own list, all i have to do, everything on my plate, what do i do today, what should i do, what next for me
event changes: what has changed since, what is different since, since i last looked
create+page: write up, write * up, write about, protocol, what we decided
append+block: put one more line, one more line under, add a paragraph, add a line, at the end of the page, under it
query+database: which of our, which of the, all that are, only those which, those with
comment: dont agree, do not agree, agree with, say so, disagree
page property: this one box, one value of the page, who is the owner of that
version: how did it look, looked last week, how was it last week, as it was on
file content download: what is inside, what stands in, have it here, need it here
folder+items: what is in the drawer, what is in there, what lies in, what inside, what do we keep in
collaboration: who gets at the folder, who works on the paper, let * work on the paper, gets at the papers
upload session: very big file, huge file, in parts, piece by piece
zip download: all in one, everything in one file, whole folder in one, packed together
trash: what did i throw away, things i threw away, threw away, bring back what i threw
recent items: what did i open, had open, opened yesterday, opened last, worked on lately, what was i working on
task assignment: ask * to check the paper, ask * to read the
metadata template: form for the facts, same facts on every, which facts we note
metadata: note on the file that, mark the paper as, contract number, customer number on
legal hold: must not get lost before the trial, nobody may destroy
issue: water comes in, is broken, somebody complains, fell off, leaks
issue type: kinds of jobs, kind of job, sorts of jobs, what kinds of work, what kind of thing
resolution: why was it closed, how was it solved, ways to close
issue vote: many people want, i want that too, how many want
priority: how bad, bad is it, kinds of urgency
issue watcher: also wants to hear, tell me when this job, when this bug
component: parts of the product, which part of the product, area of the product
version: next edition, coming edition, which edition, planned edition, edition
worklog: i worked two hours, i spent, how long did * work, worked on that
project role: who is the lead, lead of, who may do what in the project
notification scheme: who gets a mail when, who gets mails
screen: which boxes do people see
avatar: little picture of the project, picture of the project
group: people with the same rights
dashboard: wall of numbers, charts page
issue property: hidden note, keep a value with the job
permission scheme: who may do what, rules about who
checklist: list of steps on the, steps on the note, ingredients
card: note about the, the note, note from the wall, put a note on the wall, our notes
list: row, rows, rows on the wall, new row on the wall, pile on the wall
board: our wall, whole wall, new wall
vote: for it, against it
meeting: call tomorrow, talk to the whole team, see each other, on camera, camera
create+meeting: let meet, let us meet, want to talk on, we should talk, talk tomorrow, set up a call, meet on, arrange a call
update+meeting: meet an hour later, an hour later, meet later, another day, move the call, different time
delete+meeting: call is off, we do not meet, no call tomorrow, dont meet
past meeting: call of yesterday, yesterday call, who was in the call yesterday, how long did we talk, last call
registrant: list for the talk, on the list for the talk, wants to hear the talk, guests of the talk
recording: film of the call, what we filmed, film of, see the call again
poll: question during the call, ask during the, quiz
meeting report: how many calls, how long were the calls, minutes we talked
zoom room: meeting room, screen on the wall, big screen
call queue: who picks up the phone, phone line, hotline people, callers wait, waiting callers
phone number: number for her desk, number people can ring, new number
voicemail: spoken message, left a message on the phone
tracking field: what to note for each call
webhook: program should hear, computer should hear, told by a machine, hear of it when, my server should hear, my server wants to know
background: nicer behind, behind the notes
notification unread: what did i not see, not seen yet, bell shows
label: red means, green means, colour means, mark * red, red one, name of the colour, word for the colour
scheduled message: lined up, lined up for, what i planned to send
portfolio: big plan, big plans
status update: how is * going, house is going, building is going
metric+goal: have reached, reached so far, we reached, halfway there
permalink: point others to, point others
comment: say something under, tell * under, ugly, beautiful
remote file: document from outside, from another place, lies somewhere else
virtual background: behind everybody, behind me in the call, behind us in the call
report: how long did we talk, how long did they talk
meeting: video calls, video call, conference call
card: that note, this note, note is, note green
label: paint, green, red, yellow, blue
archive close: away with it, away with that
`;
