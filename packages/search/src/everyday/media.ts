/** Music, video, pictures, design, places, numbers about visitors, and devices. */
export const everydayMedia = `
track: song, songs, tune, tunes, number, melody, piece of music, hit, hits, this one, banger, jam, what i hear, hum, title
artist: band, bands, singer, singers, musician, rapper, group that sings, who sings, who sang, who plays, orchestra, pop star, composer, dj, act
album: record, lp, cd, disc, vinyl, longplayer, songs of that record
playlist: mix, mixes, mixtape, tape, party music, collection of songs, songs for the road, songs for, music for, songs i like to, my list of songs, set list, soundtrack, running order
follow+playlist: love this mix, like this mix, keep this mix
unfollow+playlist: sick of this mix, tired of this mix, do not want this mix, this mix
save+track: love this song, like this song, keep this song, love this tune
save+album: love this record, like this record, love this album
category playlist: working out, gym, workout, running, jogging, party, dinner, sleep, falling asleep, cooking, mood, chill, relax, study, concentrate, christmas, wedding, sport, summer
genre category: kind of music, kinds of music, sort of music, style of music, rock, jazz, techno, classical, hip hop, metal
recommendation: something like, something new to hear, something similar, sounds like, similar, might like, could like, what should i, suggest, surprise me, fits my taste, what else could i, any ideas, tip, tips, know something, more like this
top: listen to most, heard most, most heard, play most, played most, most often, all the time, hear most, biggest, best known, greatest, what do i hear
recently played: what was that, heard this morning, heard yesterday, just heard, listened to, been listening, what did i hear, heard last, earlier today, song before
current playing playback: what is this, what this, is on, what on, right now, at the moment, what am i hearing, what is playing, song is this, that is running
player playback start play: put on some, put on a, put * on, play some, let hear, music please, strike up, play it, music on, let me hear
pause playback: be quiet for, hold the music, stop the music, music off, phone rings, silence please, shut the music
next skip: not this one, do not like this one, hate this song, something else, next one, boring song, skip it, not that again
previous: again from before, the one before, song before, hear that again, go back one
shuffle: any old order, any order, mixed up, mix them, mix up, jumble, jumbled, at random, not in order, random order, chance, in any order, surprise order
repeat: over and over, on and on, again and again, never stop, in a loop, forever, once it ends, start again when, keep playing, all night long
seek position: jump to, skip to the, the good part, the middle of, second verse, from the beginning, go to minute
volume: louder, too loud, quieter, turn it down, turn it up, turn down, turn up, cannot hear, cant hear, noise, softer, loud, neighbours, neighbors
queue: play after this, after this, play next, up next, line up, comes next, what comes next, what next, coming up, hear after
device: loudspeaker, speakers, speaker, kitchen, living room, bedroom, tv, telly, headphones, phone, on which, in the kitchen, stereo, radio, gadget, box in the kitchen, sonos
transfer+playback: in the kitchen instead, play it in the, on the other speaker, over to the speaker, on my phone instead, out of the speaker, out of the loudspeaker
show podcast: talk show, series, people talking, radio show, something to listen to, programme, broadcast
episode: part of a podcast, new part, newest part, latest part, last week show, instalment, one part of the show
audiobook: book that is read, book to hear, read to me, read aloud, novel, books i listen, books to listen, story to hear, listen to a book, books on tape
chapter: parts of the book, part of the book
audio features analysis: how fast is the song, tempo, beat, can you dance, dance to, danceable, beats per minute, happy or sad, in which key
saved library: my collection, my own songs, things i keep, what i have kept, what i keep, that i liked, i have liked, kept, my shelf
new releases: just came out, fresh from, out this week, hot off, brand new records, new on the market, what is new
market: in which countries, countries, where can people hear
image cover: picture on the, picture of the, front picture, sleeve, cover, artwork, how it looks
render image export: as a picture, png of, need a png, need a picture, picture of that, picture of the, jpg, svg, screenshot, as an image, picture for the, image of
component: building block, building blocks, reusable, ready made part, ready made parts, lego, button, buttons, piece of the design, pieces we use, part that we use
component set: families, family of, variants, versions of the button, kinds of the button, sorts of buttons
style: look, looks, colours, our colours, our fonts, fonts, corporate look, typeface, letters, lettering, paint
library: kit, toolkit, set of parts, box of parts, pool of parts
design file: drawing, drawings, mockup, sketch, sketches, draft, picture of the app, screen design, artboard, canvas, layout
file meta: who touched * last, when was * last touched, thumbnail of the drawing, basic facts about, which folder is the drawing
node layer: part of the drawing, piece of the drawing, element of, single element, one element, corner of the drawing
comment: note in the drawing, wrote into the drawing, written on the drawing, pinned to the drawing, on my drawing
dev resource: link for the developers, links for developers, for the programmers, links to the code, for the coders
variable: design values, colour values, named colour, spacing, sizes we use, dark mode, night mode, dark and light, named value
analytics: how many visitors, visitors, visits, visit, clicks, how often, hits, popular pages, who comes, how many people saw, how many people came, how well does, traffic, how many people use, use it much, who uses, how much is it used, used most, who looks at
usage: used most, how often is * used, how much is * used, who uses, how many people use, is anybody using, does anybody use
activity: fiddling, who has been, been up to, doings, what * has been doing, what people do, going on, what is going on, what going on, what happened lately, goings on
payment plugin: has she paid, has he paid, paid for the plugin, paid for my widget, bought my plugin
widget plugin: add on, little helper, extra tool
video: film, clip, movie, footage, reel
image photo: picture, pictures, snapshot, shot, snap, pic, pics, painting, drawing
location place: where is, place, spot, nearby, near me, around the corner, around here, map, on the map, in town
route direction: how do i get to, way to, fastest way, road, drive to, walk to, get there, shortest way, traffic jam
weather forecast: rain, umbrella, sunny, cold outside, coat, snow
light lamp: dark in here, bright, brighter, dim, lamp, bulb, too dark
thermostat temperature: too cold, too hot, warm, warmer, cooler, heating, freezing, sweating
sensor: measure, detector, notices, thermometer
translation language: in french, in german, in spanish, other tongue, tongue, foreign language, speak, do not understand, what language, mother tongue
search: look for songs, songs with, called something, something with love
track: how long is it, how long is the song, called i like it
repeat: hear that all day, all day long, could hear that, keep it on
add+playlist: belongs on the road trip, on the road trip, road trip, put * on the tape, onto the mix
remove+playlist: does not fit in the mix, not on the tape
create+playlist: songs for the party, for the party, songs for the wedding, collect songs for
playlist: what have i put together, songs i collected, songs i put together
current playing: what is that called, what song, what do we hear, which song is, name of this song
pause: quiet please, ssh, be quiet, wait a moment, hold it
previous: once more the one before, that was lovely
queue: what are we going to hear, going to hear, what comes after, then play
transfer+playback: take it with me, going to the kitchen, in the car
recommendation: along those lines, something along, more of that, something for
save: want to find that again, find that again, that is good
remove+saved: do not like it anymore, no longer like it, no longer like that
follow+artist: tell me when they have a new record, hear more of them, fan of
recently played: what was on last night, was on last night, last night, had on
related artist: similar bands, bands like, who sounds like
artist album: what else have they made, what did they make, all their records
volume: i cant talk, hard to hear, wake the baby, baby sleeps
seek: the chorus, intro, start of the song, skip the talking
comment: tell the designer, what the designer should change, written next to the button
file: how does the new screen look, draft of the home page, what is in the draft
image: picture of the button, button as a picture, for the presentation, for my slides
style: how do we usually write, write headings, how blue is, which blue, what blue, our blue
component: do we have a button, have we got a button, which buttons do we have, ready made button
variable: change the blue everywhere, blue everywhere
version: drawing of last week, drawing was, drawing before
project: which drawings do we have, all drawings of
activity log: who opened the drawing, who shared the drawing, who invited the stranger
webhook: tell us when the drawing changes
library analytics: is the button used, who uses the button, used the button
user: whose drawing
`;
