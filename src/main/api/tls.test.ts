import { generate } from 'selfsigned'
import { afterAll, describe, expect, test } from 'vitest'
import { account } from '../../contract/areas/account.ts'
import { ApiClient } from './client.ts'
import { PanelProblem } from '../base/problem.ts'
import { listen, type Listener, reply } from './test-listener.ts'
import { makeDispatcher } from './requests/transport.ts'

const day = 24 * 60 * 60 * 1000

async function certificate(host: string, from: number, to: number) {
  const made = await generate([{ name: 'commonName', value: host }], {
    keySize: 2048,
    notBeforeDate: new Date(from),
    notAfterDate: new Date(to),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
    ],
  })
  return { key: made.private, cert: made.cert }
}

async function ask(at: Listener, ca?: string) {
  const dispatcher = makeDispatcher(ca === undefined ? {} : { ca })
  afterAll(() => dispatcher.close())
  const client = new ApiClient({ baseUrl: at.baseUrl, dispatcher })
  return client.send(account.forgot, { body: { email: 'ann@example.com' } }).then(
    () => null,
    (fault: unknown) => {
      if (fault instanceof PanelProblem) return fault.problem
      throw fault
    },
  )
}

const serve = (tls: { key: string; cert: string }) =>
  listen((_request, response) => reply(response, 204), { tls, name: 'localhost' })

describe('a certificate', () => {
  test('that is trusted and fits is taken', async () => {
    const tls = await certificate('localhost', Date.now() - day, Date.now() + day)
    await using at = await serve(tls)
    expect(await ask(at, tls.cert)).toBeNull()
    expect(at.seen).toHaveLength(1)
  })

  test('that is self-signed is not trusted, and nothing is sent', async () => {
    await using at = await serve(await certificate('localhost', Date.now() - day, Date.now() + day))
    const fault = await ask(at)
    expect(fault).toMatchObject({
      code: 'untrusted',
      retryable: false,
      detail: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
    expect(fault?.message).toContain('self-signed')
    expect(at.seen).toEqual([])
  })

  test('that has expired says so', async () => {
    const tls = await certificate('localhost', Date.now() - 9 * day, Date.now() - 2 * day)
    await using at = await serve(tls)
    const fault = await ask(at, tls.cert)
    expect(fault).toMatchObject({ code: 'untrusted', detail: 'CERT_HAS_EXPIRED' })
    expect(fault?.message).toContain('has expired')
  })

  test('that was made for another host says so', async () => {
    const tls = await certificate('other.example', Date.now() - day, Date.now() + day)
    await using at = await serve(tls)
    const fault = await ask(at, tls.cert)
    expect(fault).toMatchObject({ code: 'untrusted', detail: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    expect(fault?.message).toContain('another host name')
    expect(at.seen).toEqual([])
  })
})

test('https where only http is spoken is not trusted, with a sentence that says so', async () => {
  await using at = await listen((_request, response) => reply(response, 204))
  at.baseUrl = at.baseUrl.replace('http:', 'https:')
  const fault = await ask(at)
  expect(fault?.code).toBe('untrusted')
  expect(fault?.message).toContain('does not respond with proper HTTPS')
})
