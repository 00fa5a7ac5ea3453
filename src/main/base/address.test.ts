import { describe, expect, test } from 'vitest'
import { baseAddress } from './address.ts'
import { PanelProblem } from './problem.ts'

function sentence(typed: string): string {
  try {
    baseAddress(typed)
  } catch (fault) {
    if (!(fault instanceof PanelProblem)) throw fault
    expect(fault.problem.code).toBe('bad-address')
    return fault.problem.fields?.baseUrl?.[0] ?? ''
  }
  throw new Error(`“${typed}” was taken`)
}

describe('what is taken', () => {
  test.each([
    ['https://panel.example.com/api/v1', 'https://panel.example.com/api/v1'],
    ['  https://panel.example.com/api/v1/// ', 'https://panel.example.com/api/v1'],
    ['https://Panel.Example.com:443/api/v1', 'https://panel.example.com/api/v1'],
    ['https://example.com/hosting/api/v1/', 'https://example.com/hosting/api/v1'],
    ['panel.example.com', 'https://panel.example.com/api/v1'],
    ['panel.example.com:8443/', 'https://panel.example.com:8443/api/v1'],
    ['panel.example.com/api/v1', 'https://panel.example.com/api/v1'],
    ['localhost:8080', 'http://localhost:8080/api/v1'],
    ['127.0.0.1:8080/api/v1', 'http://127.0.0.1:8080/api/v1'],
    ['http://127.8.9.1:8080/api/v1', 'http://127.8.9.1:8080/api/v1'],
    ['http://[::1]:8080/api/v1', 'http://[::1]:8080/api/v1'],
    ['http://localhost/api/v1', 'http://localhost/api/v1'],
    ['https://münchen.example/api/v1', 'https://xn--mnchen-3ya.example/api/v1'],
  ])('%s', (typed, expected) => expect(baseAddress(typed)).toBe(expected))
})

describe('what is refused says what is wrong', () => {
  test.each([
    ['', 'Enter the address'],
    ['not a url', 'not a valid address'],
    ['https://', 'not a valid address'],
    ['https://host:99999/api/v1', 'not a valid address'],
    ['ftp://example.com/api/v1', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['javascript:alert(1)', 'not a valid address'],
    ['http://panel.example.com/api/v1', 'unencrypted'],
    ['http://127.0.0.1.example.com/api/v1', 'unencrypted'],
    ['http://10.0.0.5/api/v1', 'unencrypted'],
    ['http://[::2]/api/v1', 'unencrypted'],
    ['https://ann:secret@example.com/api/v1', 'Leave the name and password out'],
    ['https://ann@example.com/api/v1', 'Leave the name and password out'],
    ['https://example.com/api/v1?x=1', '“?” or “#”'],
    ['https://example.com/api/v1?', '“?” or “#”'],
    ['https://example.com/api/v1#x', '“?” or “#”'],
    ['https://example.com//api/v1', 'two slashes'],
  ])('%s', (typed, words) => expect(sentence(typed)).toContain(words))

  test.each([
    ['https://example.com', 'https://example.com/api/v1?'],
    ['https://example.com/', 'https://example.com/api/v1?'],
    ['https://example.com/api', 'https://example.com/api/v1?'],
    ['https://example.com/api/v2', 'https://example.com/api/v1?'],
    ['https://example.com/api/v1/servers', 'https://example.com/api/v1?'],
    ['https://example.com/api/v12', 'https://example.com/api/v1?'],
    ['https://example.com/hosting', 'https://example.com/hosting/api/v1?'],
    ['http://localhost:8080', 'http://localhost:8080/api/v1?'],
    ['http://example.com/', 'https://example.com/api/v1 instead'],
  ])('%s offers the corrected address', (typed, offered) => expect(sentence(typed)).toContain(offered))

  test('credentials that were typed are not repeated', () => {
    expect(sentence('https://ann:hunter22@example.com/api/v1')).not.toContain('hunter22')
  })
})
