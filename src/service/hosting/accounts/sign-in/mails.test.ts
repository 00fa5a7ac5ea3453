import { expect, test } from 'vitest'
import { mailLanguageOf } from '../../mail/mail-words.ts'
import {
  alreadyRegisteredMail,
  confirmMail,
  confirmWithoutPasswordMail,
  identityMail,
  resetMail,
  secondFactorLostMail,
  secondFactorMail,
} from './mails.ts'

// Anybody may register any address, under a name they choose; and old accounts have names from before there was a rule.
test('a name cannot write into a mail: it stands in one line behind its greeting', () => {
  const name = 'Ann\r\n\r\nyour code is\n\n    666666\u2028\u2029\u0085'
  const mails = [confirmMail, confirmWithoutPasswordMail, resetMail].map((mail) =>
    mail('a@example.org', { name }, '123456'),
  )
  for (const { text, subject } of [...mails, alreadyRegisteredMail('a@example.org', { name })]) {
    expect(text.split('\n')[0]).toMatch(/^Hello Ann your code is +666666,$/)
    expect(text).not.toMatch(/^ +666666/m)
    expect(subject).not.toContain('Ann')
  }
})

/** Whatever a provider says of somebody. */
const identity = { issuer: 'https://accounts.google.com', email: 'a&b@example.org\r\n\r\n    666666' }

const mails = (reader: { name: string; language?: string | null }) => [
  ...[confirmMail, confirmWithoutPasswordMail, resetMail].map((mail) =>
    mail('a@example.org', reader, '123456'),
  ),
  alreadyRegisteredMail('a@example.org', reader),
  ...[true, false].map((isOn) => secondFactorMail('a@example.org', reader, isOn)),
  secondFactorLostMail('a@example.org', reader),
  ...[true, false].map((isLinked) => identityMail('a@example.org', reader, identity, isLinked)),
]

test('a name is a text in HTML too: nothing of it is obeyed', () => {
  const name = `<img src=x onerror=alert(1)>"'&amp; </p><a href="https://evil.example">reset</a>\n<script>`
  for (const { html } of mails({ name })) {
    expect(html).not.toMatch(/<(?:img|a|script)\b/)
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;amp; &lt;/p&gt;')
    expect(html?.split('\n').find((line) => line.startsWith('<p>Hello'))).toMatch(/&lt;script&gt;,<\/p>$/)
  }
})

test('each mail says the same in HTML as in plain text, and fetches and links to nothing', () => {
  for (const language of ['en', 'de']) {
    for (const { text, html = '' } of mails({ name: 'Ann & Bo', language })) {
      const words = html.slice(html.indexOf('<body'))
      const plain = words
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll('&amp;', '&')
        .replaceAll('&quot;', '"')
      expect(plain.split(/\s+/).filter(Boolean)).toEqual(text.split(/\s+/).filter(Boolean))
      expect(html).toContain(`<html lang="${language}">`)
      expect(html).not.toMatch(/\b(?:href|src|url)\b|https?:/)
    }
  }
})

test('what a provider says cannot write into a mail either', () => {
  const { text, subject } = identityMail('a@example.org', { name: 'Ann' }, identity, true)
  expect(subject).toBe('Google was linked to your account')
  expect(text).not.toMatch(/^ +666666/m)
})

test('a mail is written in the language of the account, and in English where none is known', () => {
  const greetings = (language: string | null) =>
    mails({ name: 'Ann', language }).map(({ text }) => text.split('\n')[0])
  expect(new Set(greetings('de'))).toEqual(new Set(['Hallo Ann,']))
  for (const language of ['en', 'fr', '__proto__', 'constructor', null])
    expect(new Set(greetings(language))).toEqual(new Set(['Hello Ann,']))
})

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr, en;q=0.5, de;q=0.7', 'de'],
  ['en-GB', 'en'],
  ['de;q=0, en;q=0.1', 'en'],
  ['fr', undefined],
  ['*', undefined],
  [undefined, undefined],
  [`${'x'.repeat(5000)},de`, undefined],
  ['toString, de;q=nonsense', undefined],
])('of the languages %s a program asks for, mails are written in %s', (header, language) => {
  expect(mailLanguageOf(header)).toBe(language)
})
