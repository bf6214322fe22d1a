/** Buying, paying, selling, shipping and keeping books. */
export const everydayMoney = `
refund: money back, cash back, give * back the money, give * his money back, give * her money back, give * money back, pay back, pay * back, reimburse, get * money back, return the money, returned the goods, sent it back, brought it back, was not happy, make good, changed his mind, changed her mind, not satisfied, send the money back
invoice: bill, bills, billed, tab, what we asked them to pay, what they owe, what * owes us, owes us, demand for payment, piece of paper with the amount, statement of what, asked to pay
send+invoice: bill the, ask * to pay, ask for the money, mail the bill
pay+invoice: has paid his bill, has paid her bill, paid the bill, settle the bill, clear the bill
void+invoice: bill was a mistake, bill is wrong, wrong bill, tear up the bill, forget the bill
uncollectible+invoice: will never pay, never going to pay, write off, lost cause, cannot pay, went bankrupt, bankrupt, gone bust
invoice item line: one more position, extra on the bill, put * on the bill, put * on her bill, put * on his bill, on the bill, on his tab, on the tab
credit note: credit, we billed too much, charged too much, billed too much, take a bit off, in their favour, in his favour, too much on the bill, write down
payment charge: money that came in, money came in, money arrived, paid, pays, who paid, takings, what did * pay, what they paid, card was taken, take the money, transaction, swipe, swiped, took from the card, taken from, taken off, got our money, dough, bucks, sum
capture: take the money now, now take, held on the card, reserved, reserved on the card, blocked on the card, hold on the card
payment method card: plastic, credit card, debit card, visa, how * pays, how they pay, ways to pay, way to pay, other card, new card, old card, card number, card on file, expired card, wallet
bank account: where our money goes, where the money goes, iban, account number, our bank, bank, savings, giro, routing number
payout: when do we get our money, get our money, our money, money on our account, on our account, on our bank, sent to our bank, paid out, pay out, reach our bank, arrive on our account, withdraw
settlement payout: what did we get, what the card company, what arrived from, got for the week
balance: how much money, how much do we have, how much have we got, money do we have, in the till, in the pot, left over, funds, afford, flush, how rich, cash do we have, what we own
top up: put money in, fill up, add money, load up
transfer: send money to, pass money, share of the sale, move money, cut for the seller, pay the sellers, pass * share
subscription: monthly, each month, every month, pays every month, monthly payer, regular, plan, membership, on which plan, member of, abo, keeps paying, keep paying, pays us regularly, standing order, recurring, yearly, once a year, signed up for
cancel+subscription: no longer wants to pay, does not want to pay, leaves us as a customer, stop charging, stops paying, ends the membership, quit the membership, not renew, give up membership
subscription schedule: from next year, from january, at the turn, next period, later on another plan, change of plan from
trial: try for free, free for a month, for free at first, test it first, test period, free weeks, taste
plan price: how much does * cost, how much is, what does * cost, what we ask for, rate, rates, fee, fees, what it costs, costs, tariff, cheaper, dearer, more expensive, too expensive, expensive, cheap, price tag
product catalog item: what we sell, thing we sell, things we sell, what * sells, goods, ware, wares, article, articles, what is on the shelves, range, assortment, stuff we sell, merchandise, menu, dish, dishes, for sale, on the shelf
coupon promotion discount: money off, percent off, off the price, cheaper, special offer, special offers, deal for, voucher, rebate, ten percent, half price, bargain, sale price, code from the flyer, flyer, code on the poster, christmas offer, black friday
gift card: present, voucher for a friend, gift
loyalty: stamps, collect points, points, bonus, bonus points, regular guests, regulars, reward, rewards, thank our regulars
quote: offer, offers, what it would cost, what would it cost, what we would charge, proposal, tender, bid, estimate, kostenvoranschlag, with prices for
accept+quote: said yes to our offer, took our offer, takes our offer
order: bought, buys, purchase, purchases, someone bought, what did * buy, what have people bought, what she bought, what he bought, basket, shopped, what * wants from us, what people want from us, asked us to deliver, table, ordered, takeaway, sale, sold
cart checkout: basket, shopping trolley, trolley, at the till, pay page, till, place to pay, page where * pays, pay online, paying page
payment link: link to pay, page to pay, send * something to pay, pay by link, pay without a website
terminal reader device: card machine, card reader, machine for cards, swipe machine, counter, till, at the counter, thing for the cards, tap their card, tap to pay
cash drawer: till, cash register, coins, notes and coins, money in the drawer
dispute: charge he contested, says he never bought, says she never bought, never bought, did not buy, fights the charge, contested, contest, claims, bank took the money back, bank wants, money back through the bank, chargeback, quarrel, complains to his bank, denies, cardholder contested, cardholder
evidence: proof, prove, proofs, papers to prove, show that we, show that he did, show the bank
fraud radar review: fishy, suspicious, smells, dodgy, looks odd, crooks, stolen card, stolen cards, scam, cheat, cheater, weird orders, looks wrong, shady, strange payments
tax: vat, duty, treasury share, what the state gets, government share, sales tax, revenue office, tax man, taxman, state takes, customs, irs
tax id: vat number, number of the tax office
reversal reverse: undo, take back, turn back, booked wrongly, book back, go back on
shipping shipment delivery: parcel, package, post, send out, where is my, on its way, on the way, courier, dhl, ups, fedex, lorry, truck, driver, doorstep, deliver, delivers, delivered, arrives, arrived, carrier, how fast does it come, dispatch, mail it to
shipping rate: what does sending cost, postage, cost of sending, stamp
fulfillment: handed over, picked up, ready to collect, collected, packed, pack, packing, prepared
inventory stock: how many * left, how many are left, do we still have, still have any, running out, ran out, run out, sold out, warehouse, in the store room, storeroom, on the shelves, have in store, back room, store, count of goods, pieces left
location store: branch, branches, our shops, shops, outlet, outlets, which shop, new shop, place of business, premises, site, cafe, restaurant, opening hours, when are we open
vendor supplier: people we buy from, who we buy from, who sells us, sells us, where do we get our
purchase order: what we ordered from, order from our supplier, order from, stock up
booking appointment: hair cut, haircut, table for, reserve, reservation, customer is coming, coming in, comes in at, time with, slot, when is * coming, booked, book a
account ledger: books, pot, bookkeeping, bookkeeper, heading in the books, booked under, the books, chart
journal: book by hand, by hand, bookkeeper, booked by hand, correct the books
bank transaction: on the bank statement, statement, bank statement, money in, money out, went out of our account, spent, money spent, money received, came in on our account, went off our account
reconcile: tick off the statement, match, does it add up, matches up, tally
expense receipt: lunch i paid, paid out of my pocket, out of my pocket, taxi, hotel, trip, spent, receipts, claim back, slip from the shop, business trip, own pocket, expenses, what we spend
bill payable: what we owe, we owe, have to pay them, bill from, bill we got, bills we got
prepayment: paid in advance, paid up front, paid ahead, deposit, down payment, paid beforehand, up front
overpayment: paid too much, paid twice, paid double, too much money
allocation: set off, use up, use * for the bill, put * against, count * towards, against his bill, against the bill, against her bill
budget: how much may we spend, planned to spend, plan for the money, spending plan, purse, money we set aside
report: figures, numbers, how did we do, how are we doing, results, summary, chart, table of figures, statistics, how was the year, how was the month, accounts for
profit loss: did we make money, make money, made money, in the red, in the black, earn, earned, earnings, make a loss, lost money, how was business
aged receivable: who owes us, who still owes, owe us money, late payers, outstanding, has not paid, have not paid, unpaid, still has to pay
balance sheet: what are we worth, worth, assets, what we own and owe
trial balance: do the books balance, check the books
fixed asset: machines we own, furniture, van, desk, chairs, things we own
currency exchange: dollars, euros, pounds, foreign money, yen, abroad, other money
contact group: lump, lump together, all the plumbers, put * in one basket, sort our customers, kind of customers
branding theme: look of our bills, logo on the bill, letterhead, how our bills look, layout of the bill
tracking category: by department, by region, which branch, cost centre, sort costs by
payment service: let them pay by, another way to pay, other ways to pay, paypal
online invoice: bill on the web, bill online, look at his bill, look at her bill, see the bill
repeating recurring invoice: same bill each, same bill every, bill every month, rent, each month the same, every month the same
linked transaction billable expense: costs for a client, pass on the cost, pass on costs, put costs on
connect account: sellers on our, our sellers, merchants, merchant, partner shop, shops that sell through us, people who sell through us, sellers
person: owner of the shop, who stands behind, behind the company, director, directors
cardholder issuing: company card, company cards, our own cards, cards for our people, cards we hand out, staff card, card for the intern, card for an employee
authorization: tried to pay with, wants to pay with, paid with our card, ok for the card
meter usage: how much did they use, how much have they used, used up, pay for what they use, by use, consumption, what they used, per piece
donation: give to charity, charity, gives, donate, gift
portal: manage their own, do it themselves, change their card themselves, by themselves, serve themselves, let customers change
payment: what came in today, came in today, who gave us, gives us money, card goes through, went through the card, take ten, ten dollars, twenty euros, money from
create+payment: take the money for, have her pay, have him pay, let her pay, let him pay, charge her, charge him
refund: had to return, have to return, did we have to return, want their money
create+customer: wants to buy from us, new buyer, first time buyer, start buying, from now on pays
search+customer: is there someone named, someone named, do we know, do we have a * named
delete+customer: wants to be forgotten, be forgotten, want us to forget
invoice: still have to pay, what * still has to pay, due, is due, demand, reminder to pay
create+invoice: write * a bill, make out a bill, ask them for the money, put * on paper
finalize+invoice: bill is finished, bill is ready, bill can go out
invoice item: hours of work, two hours, work on top, on top of the bill, extra work, travel costs
subscription: on the gold plan, gold plan, who is on the plan, keeps coming, magazine, box every month
update+subscription: gold instead of silver, bigger plan, smaller plan, higher plan, other plan, next plan up
cancel+subscription: doesnt want it any more, does not want it any more, wants to stop paying, ends it at the end of
coupon: something nice for loyal, loyal people, thank you gift, treat
balance: are we rich, rich, money on hand, are we broke, broke, liquid
payout: see it at my bank, at my bank, bring it to the bank, carry the money to the bank
dispute: saying it was not them, it was not them, not me who bought, was not her, was not him, bank says
close+dispute: they win, fine they win, let him have his money, let her have, dont fight, not worth fighting
submit+evidence: we can prove, show the receipt, he did get it, she did get it, we sent it
payment link: where they can give me money, give me money, collect money for, button to pay
tax rate: state wants its share, nineteen percent, seven percent, percent for the state
accept+quote: they said yes, said yes, take our offer
quote: what we offer, offered, our price for the job
transfer: gets its part, its part of the money, their part of the money, their share
portal session: sort it out themselves, change it themselves, look after it themselves
usage record: used another, another three hundred, counted three hundred
price: ask more for, charge more for, should cost more, cost ten, dearer from
product: new thing to sell, start selling, no longer sell, stop selling, sell, sells, selling
catalog: sweets, coffee, cake, pizza, size, flavour, kinds of cake, photo of the cake
order: three coffees, two pizzas, somebody wants, table four, to take away
inventory: how many cakes, cakes left, bottles left, throw away milk, count the bottles, broken bottles
location: our cafe, our bakery, our restaurant, both cafes, when do we open
booking: comes on tuesday, comes on friday, has to come another day, can not come, cannot come, cannot make it, cant make it, hair, barber, dentist, treatment
loyalty: tenth coffee free, tenth coffee, free coffee, coffee card
gift card: how much is on the card, left on the card, load the card, birthday present
customer group: put our best customers, friends of the shop, wholesale people
segment: kinds of customers, who has not been here
cash drawer: how much should be in the drawer, end of the day, counted the money
shift: anna worked from, worked till, came at nine, started at nine, went home at
terminal: let him pay on the, show the sum on the, hand the machine to
device code: get the new machine going, connect the new machine
vendor: who brings us the, brings us, baker, milkman, butcher
site: shop on the web
contact: someone we send bills to, person we bill
bank transfer: from one account to the other, between our accounts, put money on the savings
credit note: sent too big a bill, give them something off, something off the bill
expense claim: pays me back, pay me back, have paid for the company, bought pens
purchase order: order paper from, ask them to send us
bank transaction: paid the rent, rent, bought petrol, spent from the account
attachment: scan of the bill, receipt to the bill, hang the scan
history note: write down that we called, note that we called
tracking category: know which shop the, split our numbers by
repeating invoice: rent of the flat
organisation: facts about our company, our fiscal year, year end, vat registered
email+invoice: bill to her inbox, bill by mail
report: how much did the cloud, how much vat
manual journal: accountant told us to move
overpayment: sent us too much, transferred too much
batch payment: pay all bills, pay several bills
tax rate: other rate of vat
transaction: went in and out, in and out of, ins and outs, into the pot
upcoming invoice: next bill, his next bill, her next bill, coming bill
base plan subscription: signed up for, has signed up for
evidence: papers did we hand, hand to the bank, handed to the bank
account balance billing: what do we owe, do we owe
`;
