import { expect, it, vi } from 'vitest'
import { goToCardPage, isCardPage } from './card-page'

const shop = { hostname: 'chat.example.org' }
const desk = { hostname: 'localhost' }

it.each([
  'https://checkout.stripe.com/c/pay/cs_test_1#fid',
  'https://buy.stripe.com/x',
  'https://stripe.com/x',
  'https://chat.example.org:8443/checkout',
])('%s takes cards for a shop', (address) => expect(isCardPage(address, shop)).toBe(true))

it.each([
  'http://checkout.stripe.com/c/pay/cs_test_1',
  'https://checkout.stripe.com.evil.example/c/pay',
  'https://evilstripe.com/c/pay',
  'https://checkout.stripe.com@evil.example/',
  'https://chat.example.org@evil.example/',
  'https://user:word@checkout.stripe.com/',
  'https://evil.example/?https://checkout.stripe.com/',
  'https://example.org/',
  'https://x.chat.example.org/',
  'http://chat.example.org/checkout',
  'http://localhost:4010/checkout',
  'https://127.0.0.1/checkout',
  '//checkout.stripe.com/c/pay',
  '/checkout',
  'javascript:alert(1)//checkout.stripe.com',
  'data:text/html,checkout.stripe.com',
  'blob:https://checkout.stripe.com/1',
  '',
])('%s does not', (address) => expect(isCardPage(address, shop)).toBe(false))

it('on this machine its own addresses are good as well, without TLS too', () => {
  expect(isCardPage('http://127.0.0.1:4010/checkout/1', desk)).toBe(true)
  expect(isCardPage('http://localhost:4010/checkout/1', desk)).toBe(true)
  expect(isCardPage('https://checkout.stripe.com/c/pay/1', desk)).toBe(true)
  expect(isCardPage('http://192.168.0.7/checkout/1', desk)).toBe(false)
  expect(isCardPage('javascript:alert(1)', desk)).toBe(false)
})

it('nobody is sent anywhere else, or without an address', () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  expect(goToCardPage(undefined)).toBe(false)
  expect(goToCardPage('https://evil.example/')).toBe(false)
  expect(assign).not.toHaveBeenCalled()
  expect(goToCardPage('https://checkout.stripe.com/c/pay/1')).toBe(true)
  expect(assign).toHaveBeenCalledExactlyOnceWith('https://checkout.stripe.com/c/pay/1')
})
