import { expect, it } from 'vitest'
import type { Notification, NotificationValues } from '../../../contract/areas/notifications.ts'
import { desktopWords } from '../words.ts'
import { alertOf } from './alert.ts'

/** What the system says, in a language, of a notification whose service speaks English. */
function said(language: string, kind: unknown, values: NotificationValues | null) {
  const english = { title: 'In the service’s words', body: 'More of them.' }
  const notification = { id: 'n', kind, serverId: 'a', values, ...english } as Notification
  const { title, body } = alertOf({ kind: 'told', connectionId: 'c', notification }, desktopWords(language))
  return [title, body]
}
const own = ['In the service’s words', 'More of them.']
const GIB = 1024 ** 3

it.each([
  ['start', { server: 'Alpha', by: 'Ben' }, 'Ben hat Alpha gestartet', 'Ben started Alpha'],
  [
    'stop',
    { server: 'Alpha', by: 'Ben', action: 'kill' },
    'Ben hat Alpha sofort beendet',
    'Ben killed Alpha',
  ],
  ['invitation', { server: 'Alpha', by: 'Ben' }, 'Ben lädt dich zu Alpha ein', 'Ben invites you to Alpha'],
  ['disk', { freeBytes: 1.5 * GIB }, 'Der Datenträger ist fast voll', 'The disk is nearly full'],
  [
    'disk',
    { server: 'Alpha', usedBytes: 9 * GIB, limitBytes: 10 * GIB },
    'Alpha hat seinen Speicherplatz fast aufgebraucht',
    'Alpha has almost used up its space',
  ],
  ['sign-in', { address: '192.0.2.1' }, 'Anmeldung von einer neuen Adresse', 'Sign-in from a new address'],
  ['promotion', { promotion: 'Summer' }, 'Summer wurde aktiviert', 'Summer was activated'],
])('the system says a %s of %o in the language of the panel', (kind, values, german, english) => {
  expect(said('de-AT', kind, values)[0]).toBe(german)
  expect(said('en-GB', kind, values)[0]).toBe(english)
})

it('sums are said as a language writes them', () => {
  expect(said('de', 'disk', { freeBytes: 1.5 * GIB })[1]).toContain('1,5 GiB')
})

it.each([
  ['start', { server: 'Alpha' }],
  ['stop', { by: 'Ben' }],
  ['invitation', {}],
  ['disk', { server: 'Alpha', usedBytes: 9 }],
  ['disk', {}],
  ['sign-in', { device: 'Firefox' }],
  ['promotion', { until: '2026-12-01T00:00:00Z' }],
  ['promotion', { promotion: 'Summer', until: 'soon' }],
  ['disk', null],
  [null, { server: 'Alpha' }],
  [{ raw: 'billing' }, { server: 'Alpha' }],
])('a %o of %o, which is not all that its sentence needs, is said as the service says it', (kind, values) => {
  expect(said('de', kind, values)).toEqual(own)
})

it('names of others stay on one short line, and what is said of them stands after them', () => {
  const [title = ''] = said('en', 'start', { server: `A\n\u202e${'a'.repeat(500)}`, by: 'b'.repeat(500) })
  expect(title).toMatch(/^b+… started A a+…$/)
  expect(title.length).toBeLessThanOrEqual(100)
})
