import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generate } from 'selfsigned'
import { expect, it, onTestFinished } from 'vitest'
import { at, node24, nodeFlags } from '../../../build/scripts/project.js'

const run = promisify(execFile)

/** A host whose certificate is from an authority that nobody knows, and the folder with that authority. */
async function privateHost() {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  })
  const server = createServer({ key: made.private, cert: made.cert }, (_, response) => response.end('hello'))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const folder = await mkdtemp(join(tmpdir(), 'trust-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'own.pem'), made.cert)
  return { port: (server.address() as AddressInfo).port, file: join(folder, 'own.pem') }
}

/** Asks in a program of its own, which reads what its system trusts: a store of OpenSSL's, as on Linux. */
async function ask(port: number, by: string, file: string | null): Promise<string> {
  const script = `
    const { makeDispatcher } = await import(${JSON.stringify(at('src/main/api/requests/transport.ts'))})
    const { outbound } = await import(${JSON.stringify(at('src/service/software/downloads/downloads.ts'))})
    const dispatcher = ${by}()
    try {
      const { body } = await dispatcher.request({ origin: 'https://localhost:${port}', path: '/', method: 'GET' })
      process.stdout.write(await body.text())
    } catch (error) { process.stdout.write(error.code) }
    await dispatcher.destroy()`
  const env = { ...process.env, ...(file === null ? {} : { SSL_CERT_FILE: file }) }
  const { stdout } = await run(node24(), [...nodeFlags, '--input-type=module', '-e', script], { env })
  return stdout
}

it.runIf(process.platform === 'linux').each(['makeDispatcher', 'outbound'])(
  '%s trusts whom this computer trusts beside whom Node knows, and nobody else',
  async (by) => {
    const { port, file } = await privateHost()
    expect(await ask(port, by, null)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(await ask(port, by, file)).toBe('hello')
  },
)
