import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { generate } from 'selfsigned'
import { expect, onTestFinished, test } from 'vitest'
import { BOUNDS } from './limits/bounds.ts'
import { listen } from './listener.ts'
import { temporaryFolder } from '../service.fixture.ts'

test('with TLS too, who opens connections and says nothing drops their own, and others are answered', async () => {
  const folder = await temporaryFolder()
  const tls = { certFile: path.join(folder, 'cert.pem'), keyFile: path.join(folder, 'key.pem') }
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  await writeFile(tls.certFile, cert)
  await writeFile(tls.keyFile, key)
  const bounds = { ...BOUNDS, connectionsOfAddress: 5 }
  const { port, close } = await listen('127.0.0.1', 0, tls, () => new Response('here'), bounds)
  const silent = Array.from({ length: 20 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  onTestFinished(async () => {
    for (const socket of silent) socket.destroy()
    await close(0)
  })
  await Promise.all(silent.slice(0, 15).map((socket) => once(socket, 'close')))
  for (let i = 0; i < 3; i++) {
    const request = httpsRequest({ host: '127.0.0.1', port, path: '/', ca: cert, agent: false })
    request.end()
    const [response] = await once(request, 'response')
    expect(await text(response)).toBe('here')
  }
})
