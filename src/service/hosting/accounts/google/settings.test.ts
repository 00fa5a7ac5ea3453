import { expect, test } from 'vitest'
import { StartProblem } from '../../../../host/start-problem.ts'
import { GOOGLE_ISSUER } from '../../../../contract/rules/sign-in.ts'
import { googleSettings, type GoogleFlags } from './settings.ts'

const given: GoogleFlags = {
  clientId: 'id',
  clientSecret: 'secret',
  issuer: GOOGLE_ISSUER,
  publicUrl: undefined,
}

test('without a client nobody signs in with Google', () => {
  expect(googleSettings({ ...given, clientId: undefined, clientSecret: undefined })).toBeNull()
})

test('with a client and its secret people do, at Google unless another provider is named', () => {
  expect(googleSettings(given)).toMatchObject({ issuer: new URL(GOOGLE_ISSUER), publicOrigin: null })
  expect(
    googleSettings({ ...given, issuer: 'http://127.0.0.1:9000/a', publicUrl: 'https://panel.example.com/' }),
  ).toMatchObject({ issuer: new URL('http://127.0.0.1:9000/a'), publicOrigin: 'https://panel.example.com' })
})

test.for([
  { clientSecret: undefined },
  { clientId: '' },
  { clientId: undefined },
  { clientId: undefined, clientSecret: undefined, publicUrl: 'https://panel.example.com' },
  { issuer: 'http://example.com' },
  { issuer: 'accounts.google.com' },
  { issuer: 'https://me:secret@example.com' },
  { publicUrl: 'https://panel.example.com/api/v1' },
  { publicUrl: 'http://panel.example.com' },
])('does not start with %j, and says why', (more) => {
  expect(() => googleSettings({ ...given, ...more })).toThrow(StartProblem)
})
