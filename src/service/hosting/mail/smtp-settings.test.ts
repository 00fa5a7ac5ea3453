import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'
import { smtpSettings } from './smtp-settings.ts'

const from = 'panel@example.org'
const given = (url: string, password?: string) => smtpSettings({ url, from, password, caFile: undefined })

describe('a mail server', () => {
  test('elsewhere is spoken to encrypted or not at all; one of this computer as it is', () => {
    expect(given('smtp://mail.example.org').transport).toMatchObject({ port: 587, requireTLS: true })
    expect(given('smtps://mail.example.org').transport).toMatchObject({ port: 465, secure: true })
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect(given(`smtp://${host}:25`).transport).toMatchObject({
        port: 25,
        requireTLS: false,
        ignoreTLS: true,
      })
  })

  test('gets a user and a password, which stands in no address', () => {
    expect(given('smtp://ann%40example.org@mail.example.org', 'secret').transport.auth).toEqual({
      user: 'ann@example.org',
      pass: 'secret',
    })
    expect(() => given('smtp://ann:secret@mail.example.org')).toThrow(/WHEELHOUSE_SMTP_PASSWORD/)
    expect(() => given('smtp://ann@mail.example.org')).toThrow(/WHEELHOUSE_SMTP_PASSWORD/)
    expect(given('smtp://mail.example.org', 'unasked').transport.auth).toBeUndefined()
    expect(given('smtp://ann@mail.example.org', 'secret').server).toBe('mail.example.org:587')
  })

  test.each([
    '',
    'mail.example.org',
    'http://mail.example.org',
    'smtp://',
    'smtp://h/path',
    'smtp://h?tls=no',
    'smtp://a@h:x',
  ])('cannot be at %j', (url) => expect(() => given(url, 'p')).toThrow('--smtp must be an address such as'))

  test('whose authority cannot be read is said with the file', async () => {
    const caFile = path.join(await temporaryFolder(), 'none.pem')
    expect(() => smtpSettings({ url: 'smtps://h', from, password: undefined, caFile })).toThrow(
      `${caFile} (--smtp-ca) cannot be read.`,
    )
  })
})

test('mails are from one address, with or without a name', () => {
  const sender = (text: string | undefined) =>
    smtpSettings({ url: 'smtp://localhost', from: text, password: undefined, caFile: undefined }).from
  expect(sender('panel@example.org')).toBe('panel@example.org')
  expect(sender('Our "panel" <panel@example.org>')).toBe('"Our panel" <panel@example.org>')
  for (const none of [
    undefined,
    '',
    'panel',
    'a@example.org, b@example.org',
    'a@example.org\r\nBcc: b@example.org',
  ])
    expect(() => sender(none)).toThrow('--smtp needs --mail-from')
})
