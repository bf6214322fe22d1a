import { addressPolicy } from '../src/fetch/address-policy.js';

describe('without allowed ranges, an address', () => {
  const allows = addressPolicy();

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.254',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.0.1',
    '169.254.169.254',
    '169.254.170.2',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::8.8.8.8',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2a00:1450:4001::5efe:10.0.0.1',
    '2a00:1450:4001:0:200:5efe:10.0.0.1',
    '4000::1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '127.1',
    '010.0.0.1',
    'localhost',
    '',
  ])('%s is refused', (address) => expect(allows(address)).toBe(false));

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '223.255.255.254',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('%s is allowed', (address) => expect(allows(address)).toBe(true));
});

it('allowed ranges also apply to mapped addresses, and nothing else is allowed', () => {
  const allows = addressPolicy(['10.1.0.0/16', 'fd12::/16']);
  expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '8.8.8.8'].map(allows)).toEqual([true, true, true, true]);
  expect(['10.2.0.1', 'fd13::1', '127.0.0.1'].map(allows)).toEqual([false, false, false]);
});

it('a text that is not a range is refused', () => {
  expect(() => addressPolicy(['private'])).toThrow(RangeError);
  expect(() => addressPolicy(['10.0.0.1'])).toThrow(RangeError);
});
