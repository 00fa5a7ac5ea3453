import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../base/clock.ts'
import { IdentityProvider } from './provider.ts'

const checks = { state: 'the-state', nonce: 'the-nonce', codeVerifier: 'v'.repeat(43) }

const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A provider that says which key it signs with, and signs with this one. */
async function providerThatSigns(announced: KeyObject, used: KeyObject): Promise<IdentityProvider> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(answers[request.url ?? '']?.() ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  function token() {
    const now = Math.floor(Date.now() / 1000)
    const said = {
      ...{ iss: issuer, sub: 'ann', aud: 'wheelhouse', iat: now, exp: now + 300, nonce: checks.nonce },
      ...{ email: 'ann@example.com', email_verified: true },
    }
    const signed = `${part({ alg: 'RS256', kid: 'a' })}.${part(said)}`
    const signature = sign('sha256', Buffer.from(signed), used).toString('base64url')
    return { access_token: 'access', token_type: 'Bearer', id_token: `${signed}.${signature}` }
  }
  const answers: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
      ...{ jwks_uri: `${issuer}/keys`, response_types_supported: ['code'] },
      ...{ id_token_signing_alg_values_supported: ['RS256'], subject_types_supported: ['public'] },
    }),
    '/keys': () => ({
      keys: [{ ...announced.export({ format: 'jwk' }), kid: 'a', alg: 'RS256', use: 'sig' }],
    }),
    '/token': token,
  }
  const settings = { clientId: 'wheelhouse', clientSecret: 'a secret', publicOrigin: null }
  return new IdentityProvider({ issuer: new URL(issuer), ...settings }, systemClock)
}

const answer = new URL(`http://127.0.0.1:1/callback?code=a-code&state=${checks.state}`)

test('an ID token is believed that the provider has signed, and none that somebody else has', async () => {
  const own = newKeys()
  const honest = await providerThatSigns(own.publicKey, own.privateKey)
  expect(await honest.identity(answer, checks)).toMatchObject({ subject: 'ann', emailVerified: true })
  const forged = await providerThatSigns(own.publicKey, newKeys().privateKey)
  await expect(forged.identity(answer, checks)).rejects.toThrow()
})
