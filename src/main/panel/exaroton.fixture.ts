import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Exaroton, KEY } from '../../../tests/doubles/hosts/exaroton.ts'
import { panelBeside } from './pterodactyl.fixture.ts'

/** A panel that is signed in at a stand-in for exaroton with one server. */
export async function signedIn(more: Parameters<Exaroton['add']>[1] = {}) {
  const opened = await panelBeside(() => Exaroton.open())
  const { host, files, signIn } = opened
  mkdirSync(path.join(files, 'logs'))
  const server = host.add(files, more)
  return { ...opened, server, ...(await signIn(server.id, host.base, KEY)) }
}
type SignedIn = Awaited<ReturnType<typeof signedIn>>

const stamp = (at: number) => new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString().slice(11, 19)

/** Writes numbered lines as a server does: into its log file, and to whoever listens. */
export function writerOf({ host, server, files }: Pick<SignedIn, 'host' | 'server' | 'files'>) {
  let at = 0
  return {
    write(count: number): void {
      const lines = Array.from({ length: count }, () => [stamp(at), `line ${at++}`] as const)
      const text = lines.map(([time, line]) => `[${time}] [Server thread/INFO]: ${line}\n`).join('')
      writeFileSync(path.join(files, 'logs/latest.log'), text, { flag: 'a' })
      host.print(server, ...lines.map(([time, line]) => `\u001b[0m[${time} INFO]: ${line}`))
    },
    /** A started server begins another file. */
    begin: () => writeFileSync(path.join(files, 'logs/latest.log'), ''),
  }
}
