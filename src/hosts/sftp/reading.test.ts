import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CuttableLine } from '../../../tests/fixtures/cuttable-line.ts'
import { NO_SFTP, startSftp } from '../../../tests/fixtures/sftp-server.ts'
import { sftpToken } from '../../contract/rules/sftp.ts'
import { outgoingNetwork } from '../../host/network/outgoing.ts'
import { temporary } from '../../host/temporary.fixture.ts'
import { SftpFiles } from './files.ts'
import { ServerFolder } from './folder.ts'
import { hostKeyAt } from './host-key.ts'
import { SshLink } from './link.ts'

const MIB = 1024 * 1024

/** Reads a file of OpenSSH's server over a line that is cut at its first piece; `change` is done meanwhile. */
async function readThroughCut(bytes: Buffer, change: (file: string) => void): Promise<Buffer> {
  const place = temporary()
  const host = await startSftp(place)
  onTestFinished(() => host.close())
  const key = path.join(place, 'own-key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  await host.accept(readFileSync(`${key}.pub`, 'utf8'))
  const line = await CuttableLine.to('127.0.0.1', host.port)
  onTestFinished(() => line.cut())
  const at = { host: '127.0.0.1', port: line.port, user: host.user, folder: host.folder }
  const { dial } = outgoingNetwork({ timeout: 5000, envProxy: false })
  const link = new SshLink(at, dial)
  onTestFinished(() => link.close())
  const token = sftpToken({ secret: readFileSync(key, 'utf8'), hostKey: await hostKeyAt(at, dial) })
  const caller = { key: token, signal: new AbortController().signal }
  const file = path.join(host.folder, 'large.bin')
  writeFileSync(file, bytes)
  const files = new SftpFiles(link, new ServerFolder(host.folder))
  const { stream } = await files.read('large.bin', null, caller)
  const pieces: Buffer[] = []
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (pieces.push(piece) > 1) continue
    await line.cut()
    change(file)
    await line.mend()
  }
  return Buffer.concat(pieces)
}

test.skipIf(NO_SFTP)('a read goes on where the line was cut', async () => {
  const bytes = randomBytes(24 * MIB)
  expect((await readThroughCut(bytes, () => undefined)).equals(bytes)).toBe(true)
})

test.skipIf(NO_SFTP)('a file that changed meanwhile is not put together from two', async () => {
  const read = readThroughCut(randomBytes(24 * MIB), (file) => writeFileSync(file, randomBytes(MIB)))
  await expect(read).rejects.toMatchObject({ code: 'ECONNRESET' })
})
