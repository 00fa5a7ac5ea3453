import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { startSftp } from '../../../tests/fixtures/sftp-server.ts'
import { sftpToken } from '../../contract/rules/sftp.ts'
import type { Ports } from '../base/ports.ts'
import { panelBeside } from './pterodactyl.fixture.ts'

/** A panel that is signed in at OpenSSH's server with a key. `port`: of a line to it. `settings`: more of the server's. */
export async function signedIn({
  through = (port: number) => Promise.resolve(port),
  settings = [] as readonly string[],
  ...more
}: Partial<Ports> & { through?: (port: number) => Promise<number>; settings?: readonly string[] } = {}) {
  const opened = await panelBeside((folder) => startSftp(folder, settings), more)
  const { host, files, folder, signIn } = opened
  mkdirSync(path.join(files, 'logs'))
  const privateKey = path.join(folder, 'own-key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', privateKey])
  await host.accept(readFileSync(`${privateKey}.pub`, 'utf8'))
  const baseUrl = `sftp://root@127.0.0.1:${await through(host.port)}${files}`
  const hostKey = await opened.call('connections.host-key', { baseUrl })
  // As it comes from a field of one line.
  const secret = readFileSync(privateKey, 'utf8').replaceAll('\n', ' ')
  const token = sftpToken({ secret, hostKey })
  return {
    ...{ ...opened, baseUrl, token, hostKey, secret, log: path.join(files, 'logs/latest.log') },
    ...(await signIn('server', baseUrl, token)),
  }
}
export type SignedIn = Awaited<ReturnType<typeof signedIn>>

const stamp = (at: number) => new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString().slice(11, 19)

/** Writes numbered lines as a game does. */
export function writerOf({ log }: Pick<SignedIn, 'log'>) {
  let at = 0
  return (count: number) => {
    const lines = Array.from({ length: count }, () => {
      const line = `[${stamp(at)}] [Server thread/INFO]: line ${at}\n`
      at++
      return line
    })
    appendFileSync(log, lines.join(''))
  }
}
