/** Code, its builds and releases, machines, networks and data. */
export const everydayCode = `
repository: codebase, code base, source, sources, our code, code, where the code lives, code lives, program text, project code
branch: line of work, side line, work line, parallel line, own copy of the code, line of development
protect+branch: main line, nobody pushes, nobody can push, no one can push, not straight into main, not push straight
commit: change to the code, changes to the code, what was changed in the code, change i made, what has jo changed, what went in, what changed last, last change, last changes, latest changes, checked in, who broke
pull request: changes * wants to bring in, wants to bring in, bring in, wants to merge, proposed change, proposed changes, suggested change, suggested changes, merge request, change that is waiting, let my change in, my change, changes that wait, waiting for a look, get my code in
merge+pull: let * change in, let her change in, let his change in, ready to go in, take * change, take over her change
review: look over, looks over, have a look at my, have a look at the change, look through, second pair of eyes, four eyes, pair of eyes, another look, check my work, judge, opinion on my change, someone look at, somebody look at, cast an eye
reviewer: who looks over, who should look, asked to look, look over every, look over all, who checks, second pair of eyes
default reviewer: asked to look over every, always asked, look over * by default, by default
fork: own copy, my own copy, copy of their code, copy of the project
release tag: new version, latest version, newest version, put out a version, version to the public, what did we ship, shipped, finished version, download the program, out now
compare diff diffstat: what differs, how many lines, lines differ, differ, two states, between these two, between the two
file content: what is in the file, what does the file say, read the code, look at the code, source of
gist snippet: bit of code, piece of code, few lines of code, scrap of code, code scrap, handy lines, paste
issue comment: say something under the bug, answer under the bug, write under
collaborator: let * work on the code, may change the code, work on our code, gets at the code, let him push, let her push, who may push
deploy key: let our server pull, server pull the code, pull the code, machine read the code, server get the code
webhook: call our server, calls our server, calling our server, tell our server, tell our system, tell our program, ping our server, ring our server, our system should hear, our program should hear, knock at our server, our server should know, server be told, inform our system, poke our server
delete+webhook: stop calling our, stop telling our, no longer call our, stop pinging our, stop sending * to our server
event trigger: whenever, each time, every time, as soon as, if something happens, goes off, set off by, what sets off, what starts, fires
pipeline workflow build action: automatic checks, checks, tests, test run, robot that builds, automatic build, assembly line, machine that builds, what happens when we push, checks that run, ran, runs, automated
run job build: build went, did the tests, tests fail, tests failed, checks fail, checks failed, red, went red, is red, green, went green, why did it fail, fail, failed, fails, went through, passed, broke, not go through
log: what did * print, print, printed, prints, what it wrote, wrote before, said before it, output, what happened before, what the program said, trace, traces, what went wrong, why did it crash, error text, what the machine said, scroll
runner: machine that runs, machines that run, where the tests run, worker, builder machine
artifact: what came out, result of the build, built program, thing that was built, finished package, outcome, package that came
cache: leftovers, old leftovers, remember from last time, still see the old, still sees the old, still shows the old, old version of the page, stale
secret variable: our build needs to know, build needs, program needs to know, api password, hidden setting, password for the build, setting for, configuration, knob, knobs, setting, settings, tell the program
environment variable: build needs to know, program needs to know, setting for, api password, hidden value, needs a value, settings of the program, configuration value
environment: test system, live system, staging, playground, where it runs, production
deployment deploy: put live, put * live, go live, goes live, went live, live, bring * online, newest version online, new version online, on the web, publish the site, push out, pushed out, roll out, rolled out, get it out, what is running, running right now, what running, release to the world, our site is built
rollback deployment: old version back, back to the version, previous version back, last good version, yesterday version online, worked before, broke the site
alert incident: went down, is down, fell over, goes down, on fire, all hell, emergency, outage, out of order, broke down, not reachable, unreachable, down, blew up, burning, wake me, trouble, breaks, something breaks, warn, warning, warn me, alarm, siren, too hot, gets too full, tell me when it breaks
uptime check: pings our homepage, pings our, site is up, is our site up, is it up, still up, is up, reachable, answers, alive, still alive, can people reach, works from outside, heartbeat
monitoring metric: how busy, load, how hard * works, how much memory, memory, processor, cpu, out of breath, sweating, overloaded, slow, how slow, how fast, fever, temperature, traffic
code scanning: mistakes in the code, weak spots in the code, holes in the code, suspicious code, weak spots, holes, look for holes, dangerous code
autofix: suggested repair, suggested fix, repair, repaired, let it fix, automatic repair, take the fix, fix it for me, by itself
dependabot: robot, fixing libraries, fixing risky, updates of libraries, library updates, updates by itself
copilot: ai helper, ai assistant, ai, artificial intelligence, robot that writes code, coding helper, code robot, machine that writes
codespace: computer in the cloud to code, programming computer in the browser, code in the browser, workplace in the browser, ai workspace
package: library we publish, our library, our libraries, published library, thing others install
license: what may others do with, allowed to use our code, legal text of the code
readme: what is this project, explains the project, front page of the code, introduction of, text that explains
project: our thing, the shop, new app, site
site: homepage, home page, web page, our page, our website, website, our web presence, landing page, web site, the page, blog, shop window
snippet: tracking code, code on every page, goes on every page, every page, bit of code that goes, code that counts visitors
split test: half of the visitors, third of the visitors, new look, both looks, two versions, which version works better, half the people, some of the visitors, try two, other half, guinea pig
domain: web address, subdomain, name of the site, www, under www, under our name, answer under, dot com, own name on the web, address of our site, our name on the web, internet address, name on the internet, url
add+domain: answer under, should be reached under, under our own name, run under
dns record: name server, subdomain points, points nowhere, points to, where * points, point our name, mail should arrive at, phone book of the internet, where our name leads, name points, address book of the internet
dns zone: name server, all names under, our web address, everything about our domain, hand our web address
certificate ssl tls: padlock, lock in the browser, browser says not safe, not secure, says it is unsafe, browser warns, https, browser complains, green lock, secure connection
redirect: send visitors to, sends visitors, old address should lead, lead to the new, land on, lands on, end up, bring visitors, old link
form: contact page, contact form, what people type
function: small program, little program, bit of code in the cloud, code in the cloud, piece of code that runs
trigger: what starts, what sets * off, when does it run, time table, starts by itself, goes off, runs every
edge config: settings near the visitors, settings without a new build, switch without, flags
asset: picture on the site, pictures on the site, image on the page, download on the site
server droplet instance node: machine, machines, computer, computers, box in the cloud, box, boxes, rented computer, rented machine, host, sick machine, hardware, vps, our computers, in the cloud, iron
reboot+droplet: off and on again, machine hangs, box hangs, machine is stuck, box is stuck, does not answer anymore
resize+droplet: more memory, more power, bigger machine, too small, stronger machine, is too weak, beefier, more muscle
kubernetes cluster: bunch of machines, all those machines, fleet, herd, group of machines, machines together
node: sick machine, one machine of, one of the machines, machine out of the cluster, machine in the cluster
delete+cluster resources: what else would go, what goes with it, what hangs on, what would be lost, would be lost with
volume disk: space, room for data, more room, hard disk, hard drive, storage, extra disk, full, disk is full, runs out of space, drive, usb stick
snapshot backup: copy for safety, safety copy, copy of the machine, copies of the disk, copy of the disk, picture of the disk, how it was yesterday, in case, just in case, in case it breaks, spare copy, safe copy, safety net, saved state, saved states, copies we keep
image: mould, ready made machine, picture of a machine
firewall: wall, keep strangers out, let in only, close the doors, close the ports, open the door for, bouncer, who gets through, shut the doors, gates, doors
floating ip: address that stays, fixed address, address that can move, same address, address that moves, permanent address, number that stays
load balancer: spread the visitors, share the load, spread the load, traffic cop, several machines, who gets which visitor, distribute
vpc network: own private net, net, network, machines talk to each other, hidden from the internet, private net, not over the internet
database: where our data lives, data lives, store of data, our data, place for data, tables
database user: login for the data, who gets at the data, who can read the data
replica: second copy of the data, reading copy, copy for reading
registry image: shelf for our images, container, containers, shelf of containers
invoice billing: what do we pay for the cloud, what does the cloud cost, cloud bill, what do we owe the cloud, hosting bill
cdn: nearer to the visitors, faster abroad, fast in america, near the visitors
region: country where, in europe, where the machines stand, part of the world, continent, which country
account: my account, our account, my membership, subscriber
quota limit usage: how much is left, how much can we still, how much room, how many more, hit the ceiling, ceiling, used up, allowance, run out of, how close are we, too many calls, have we used
integration app: other programs, connected programs, hooked up, plugged in, programs that are connected, hook into
token: login for a program, programs that can get in, who can get in by program, codes that programs use, keys that are out there, code for programs
schema field: shape of the data, what columns, structure, layout of the data, which attributes
query search: ask the data, ask the database
test: try, rehearsal, dry run, guinea pig, probe, experiment
settings preference configuration: how it is set up, how * is set up, set up right, the way it behaves, behave, knobs, switches, behaviour, house rules, defaults, tune, options, wired
rule policy scheme: rules, set of rules, house rules, what goes, dos and donts, may do what, law, laws, regulations, who may do what, guideline
create+repository: place for our code, home for the code, start a new codebase, start a new program
star: like this project, love this project, good project
watch: every change in that project, tell me of everything in
contributor: who wrote most, who wrote the, who worked on the code, written by whom
commit: who wrote this line, why did we change, what jo did, what did * change
blame commit: whose fault, who is to blame, guilty
branch: work beside, aside from the main, try something without breaking
delete+branch: already merged, old line of work, line of work is done
pull request: is my change in yet, want my work in, look what i changed, jo wants to bring in, ready for a look
merge: is it in yet, is it in, let it in
review: say that the change is ok, change is fine, change is good, code is fine
request+reviewer: jo should look at my, somebody should look at my, who could look at my
review comment: say something about this line, remark on the line
conflict update+branch: behind main, catch up with main
release: hand the new program to the world, what is new in the latest
release asset: program to download, file for people to download
traffic: how many people looked at our code, who copies our code, who looks at our code
topic: what the code is about, words under which others find
language: in what is it written, written in which, which languages
autolink reference: numbers of tickets become links, become links
ruleset: rules for who may push, what must be done before
status check: did all tests pass, all green, may it go in
check run: test says, result of the test, tests said
cancel+workflow run: stop the tests, stop the build, wrong build is running
rerun+workflow: tests once more, run the tests again, failed only because, flaky, try the build again
workflow run: last build, last builds, builds of today, what did the robot build
delete+cache: builds use old, clean what the build
secret: build should know a password, tell the build the password, robot needs the password
runner: own computer for the builds, our own computer runs
environment: only the boss may put * live, wait before it goes live
deployment status: did it get out, is it out, is it live, live yet, out yet
pages: free site of the code, site of our docs
dependabot alert: which of our libraries, libraries are dangerous, is one of our libraries
secret scanning alert: somebody checked in a password, password was pushed
code scanning alert: does our code have holes
advisory: tell the world about the hole, publish the hole, known holes
sbom: what is our program made of, made of, ingredients of the program, list of ingredients
codespace: my computer in the cloud
copilot seat: who has the ai, give * the ai, who gets the ai, ai licence, pay for the ai
rate limit: how often may i, may i still ask, too many questions
markdown: how it will look, make html of
gitignore: files git should not
migration: carry all our code, take all our code with us
invitation: has not answered my invitation, asked to work on the code
gist: paste for a friend, share a few lines
organization: our club of coders
team+repository: which code does the team, let the team at the code
issue+assignee: jo fixes it, who fixes it, who repairs it
milestone: all for the christmas edition, for the next version, what is left before
label: mark it as easy
lock+issue: fight under the ticket, people insult, comments get out of hand
transfer+issue: wrong project, belongs in the other project
notification: what waits for me, has anybody called me
pipeline: builds of the last, why is the build red
pipeline variable: build must know
branching model: how we name our lines, names of lines
default reviewer: looks over everything
download: file that people can fetch
commit status: mark the change as tested, tests of the change
report annotation: which lines did the checker, checker complains
deployment: what is out there, what went out last, push the site out, put the site out
alias: friendly name, nicer address, short address, pretty address, nice name for
add+domain: site should answer, connect our name, use our name, our own name
dns record: mails get lost, mail gets lost, mails do not arrive, mail for our name
certificate: says it is not safe, browser says it is not safe, not safe, lock is red, lock sign
site: on the internet, want to be on the internet, be on the web
delete+site: nobody looks at the old, old blog, take * off the net, off the net
create+deploy: put it on the net, texts have changed, do it over, build it over
lock+deploy: nobody touches it, must stay as it is, leave it as it is online
restore+deploy: make it like yesterday, like yesterday, it is broken, the old one online
cancel+deploy: wait not yet, not yet, do not put it out
environment variable: should know where, it should know, program should know, where the database is
build hook: start the build from outside, address that starts the build
form submission: what did people write, who wrote to us
split test: which look do people like, half see the
log drain: send what it prints to, keep all it prints
function: how often does the little program, little program is slow
droplet: one more computer, another computer, our machine, cheap machine
delete+droplet: do not pay for the machine, no longer need the machine, machine can go
droplet action power: pull the plug of the machine, machine should sleep
ssh key: log in to the machine, key for the machine
snapshot: freeze the machine as it is, machine as it is
droplet size: what machines are there, what machines can i, kinds of machines
kubernetes node pool: more of those machines, two more machines
kubernetes upgrade: newer cluster, cluster is old
database backup: data of yesterday, data as it was, did it keep our data
database firewall: who may talk to the data, only our app may talk to
database connection pool: too many at once talk to the data
maintenance window: when may they work on it, work on it at night, nightly work
database migrate: bring our old data
load balancer: too many visitors for one machine, one machine is too little
app: put our program in the cloud, run my program, my program
app rollback: last one was better, program of yesterday
alert policy: tell me when the machine, machine gets hot, tell me when * is full
uptime check: tell me when the site, does the site answer, somebody watches our site
uptime alert: wake me when the site, site falls over
cdn: pictures load slowly, slow in asia
tag: name tag on machines, all machines called
project: put the machines together, bundle of machines
balance: what do we owe for the machines, how much do we owe
region: closer to our customers, where can machines stand
access token: my program needs to get in, let my program in
secret: hide the password, no longer plain
edge config: switch it off for everybody without, change without putting out
team: share my sites with, work on the sites together
sbom: foreign parts, parts does our software, what is in our software
repository: programs our company, programs we write, all the programs, our programs
merge+pull: change is good, into the main line, into the main
check run: all the tests, did all the tests, tests pass, tests passed
workflow action permission: may run robots, robots that strangers, who may run
comment+commit: under his change, under her change, under my change
cache usage: room do leftovers, how much room, leftovers eat
organization+delete: club is closing, firm is closing, company is closing
`;
