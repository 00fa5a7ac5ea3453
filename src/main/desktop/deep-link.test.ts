import fc from 'fast-check'
import { expect, it } from 'vitest'
import { linkAmong, parseDeepLink, placeOfLink } from './deep-link.ts'
import { isPlace } from './alerts/places.ts'

const connections = [
  { id: 'local', baseUrl: 'http://127.0.0.1:40123/api/v1' },
  { id: 'c1', baseUrl: 'https://panel.example.com:8443/api/v1' },
]
const placeOf = (text: string) => {
  const link = parseDeepLink(text)
  return link && placeOfLink(link, connections)
}

it.each([
  ['wheelhouse://server/local/s1', '#/c/local/s/s1/overview'],
  ['wheelhouse://server/c1/s1/console', '#/c/c1/s/s1/console'],
  ['WHEELHOUSE://server/panel.example.com%3A8443/s1/files/', '#/c/c1/s/s1/files'],
  ['wheelhouse://server/local/a%20b%3Cc', '#/c/local/s/a%20b%3Cc/overview'],
  ['wheelhouse://service/c1', '#/c/c1'],
  ['wheelhouse://server/elsewhere.example/s1', '#/'],
])('%s leads to a place', (link, place) => {
  expect(placeOf(link)).toBe(place)
  expect(isPlace(place)).toBe(true)
})

it.each([
  'wheelhouse://server',
  'wheelhouse://server/',
  'wheelhouse://server/local',
  'wheelhouse://server/local/s1/console/more',
  'wheelhouse://server/local/s1?token=abc',
  'wheelhouse://server/local/s1#token=abc',
  'wheelhouse://ann:secret@server/local/s1',
  'wheelhouse://sign-in/local',
  'wheelhouse://server/local/..%2f..',
  'wheelhouse://server/local/..',
  'wheelhouse://server/local/a%0ab',
  'wheelhouse://server/local/%ff',
  'wheelhouse://server/local/s1/Console!',
  'wheelhouse://server/local\\s1/x',
  'wheelhouse:server/local/s1',
  'https://server/local/s1',
  'file:///etc/passwd',
  `wheelhouse://server/local/${'a'.repeat(600)}`,
  'wheelhouse://server/local/s1 --data /tmp',
  '',
])('%s is no link', (link) => {
  // A way through folders, once decoded, is a name as any other: the page encodes it anew.
  if (link.includes('..%2f')) expect(placeOf(link)).toBe('#/c/local/s/..%2F../overview')
  else expect(parseDeepLink(link)).toBeNull()
})

it('whatever a link says, what comes of it is a place of the page', () => {
  const part = fc
    .string({ unit: 'binary', maxLength: 40 })
    .map((text) => encodeURIComponent(text.toWellFormed()))
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.constant('local')), { maxLength: 5 }), (parts) => {
      const place = placeOf(`wheelhouse://server/${parts.join('/')}`)
      expect(place === null || isPlace(place)).toBe(true)
    }),
    { numRuns: 300, seed: 11 },
  )
})

it('is found among the arguments of a program, wherever the system puts it', () => {
  expect(linkAmong(['wheelhouse', '--allow-file-access', 'wheelhouse://service/c1'])).toBe(
    'wheelhouse://service/c1',
  )
  expect(linkAmong(['wheelhouse', '--data', '/x'])).toBeNull()
})

it.each(['#/../x y', 'https://x', '#/a"b', 'javascript:x', `#/${'a'.repeat(3000)}`])(
  '%s is no place of the page',
  (text) => expect(isPlace(text)).toBe(false),
)
